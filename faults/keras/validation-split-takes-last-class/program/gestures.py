"""Recognise five hand-drawn gestures. The recordings lie in one folder for each gesture."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

GESTURES = ("circle", "line", "zigzag", "wave", "hook")
POINTS = 20


def record(gesture, count):
    """`count` drawings of a gesture: the course of the pen in x and y, with a shaking hand."""
    t = np.linspace(0, 1, POINTS)
    x, y = {
        "circle": (np.cos(2 * np.pi * t), np.sin(2 * np.pi * t)),
        "line": (2 * t - 1, 0 * t),
        "zigzag": (2 * t - 1, np.abs((4 * t) % 2 - 1) * 2 - 1),
        "wave": (2 * t - 1, np.sin(4 * np.pi * t)),
        "hook": (np.minimum(3 * t - 1, 1), np.maximum(3 * t - 2, 0) * 2 - 1),
    }[gesture]
    scale = np.random.uniform(0.6, 1.4, (count, 1, 1))
    return scale * np.stack([x, y], axis=-1) + 0.15 * np.random.randn(count, POINTS, 2)


def load_folders(each=120):
    drawings = [record(gesture, each) for gesture in GESTURES]
    labels = np.repeat(np.arange(len(GESTURES)), each)
    return np.concatenate(drawings).astype("float32"), labels


def build():
    model = keras.Sequential()
    model.add(layers.Input(shape=(POINTS, 2)))
    model.add(layers.Conv1D(12, 5, strides=2, activation="relu"))
    model.add(layers.Flatten())
    model.add(layers.Dense(24, activation="relu"))
    model.add(layers.Dense(len(GESTURES), activation="softmax"))
    model.compile("adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def train(drawings, labels, epochs=12):
    model = build()
    history = model.fit(
        drawings,
        labels,
        epochs=epochs,
        batch_size=20,
        shuffle=True,
        validation_split=0.2,
        verbose=0,
    )
    return model, history.history


if __name__ == "__main__":
    model, history = train(*load_folders())
    for epoch, pair in enumerate(zip(history["accuracy"], history["val_accuracy"]), start=1):
        print("epoch %2d  accuracy %.3f  validation %.3f" % (epoch, *pair))
    model.save("gestures.keras")
