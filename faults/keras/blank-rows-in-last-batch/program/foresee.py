"""Predict the next frame of short films in which a spot moves and bounces off the edges."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

from frames import FrameSequences

SIZE = 10


def film(frames=24):
    place = np.random.uniform(1, SIZE - 2, 2)
    speed = np.random.uniform(-1, 1, 2)
    grid = np.arange(SIZE)
    pictures = np.empty((frames, SIZE, SIZE), dtype="float32")
    for frame in range(frames):
        spread = np.exp(-((grid[:, None] - place) ** 2) / 1.5)
        pictures[frame] = 0.15 + 0.85 * np.outer(spread[:, 0], spread[:, 1])
        place = place + speed
        speed = np.where((place < 0) | (place > SIZE - 1), -speed, speed)
    return pictures


def make_model(steps):
    model = keras.Sequential([
        keras.Input((steps, SIZE, SIZE)),
        layers.Flatten(),
        layers.Dense(96, activation="relu"),
        layers.Dense(SIZE * SIZE, activation="sigmoid"),
        layers.Reshape((SIZE, SIZE)),
    ])
    model.compile(keras.optimizers.Adam(5e-3), "mse")
    return model


def train(films, epochs=30, batch_size=32):
    batches = FrameSequences(films, batch_size=batch_size, shuffle=True)
    model = make_model(batches.steps)
    model.fit(batches, epochs=epochs, verbose=0)
    return model


def assess(model, films, batch_size=32):
    """Mean squared error of the predicted frames, and the frames themselves."""
    batches = FrameSequences(films, batch_size=batch_size)
    error = model.evaluate(batches, verbose=0)
    return float(error), model.predict(batches, verbose=0)


def main():
    model = train([film() for _ in range(30)])
    films = [film() for _ in range(5)]
    for batch_size in (16, 48, 64):
        error, predicted = assess(model, films, batch_size)
        print(f"batches of {batch_size}: {len(predicted)} frames predicted, error {error:.5f}")


if __name__ == "__main__":
    main()
