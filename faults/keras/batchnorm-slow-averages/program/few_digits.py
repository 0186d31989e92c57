"""How far does one get with a single batch of handwritten digits?

Every epoch is one step on the same 128 images, so that there is no noise from batch to batch.
"""

import numpy as np
from sklearn.datasets import load_digits
from tensorflow import keras
from tensorflow.keras.layers import (
    Activation,
    BatchNormalization,
    Conv2D,
    Dense,
    Flatten,
    Input,
    MaxPooling2D,
)

BATCH = 128
STEPS = 15


def load_images():
    digits = load_digits()
    order = np.random.permutation(len(digits.target))
    images = digits.images[order, :, :, np.newaxis].astype("float32")
    labels = digits.target[order]
    return (images[:BATCH], labels[:BATCH]), (images[BATCH:], labels[BATCH:])


def normalised(layer):
    return [layer, BatchNormalization(), Activation("relu")]


def build():
    return keras.Sequential(
        [Input(shape=(8, 8, 1))]
        + normalised(Conv2D(16, 3, padding="same", use_bias=False))
        + [MaxPooling2D()]
        + normalised(Conv2D(24, 3, padding="same", use_bias=False))
        + [Flatten()]
        + normalised(Dense(48, use_bias=False))
        + [Dense(10, activation="softmax")]
    )


def train(model, images, labels, steps=STEPS):
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate=0.003),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model.fit(images, labels, batch_size=len(images), epochs=steps, verbose=0)


def main():
    training, testing = load_images()
    model = build()
    history = train(model, *training).history
    print(f"in the last step: loss {history['loss'][-1]:.3f}, accuracy {history['accuracy'][-1]:.3f}")
    for name, part in (("same images", training), ("new images", testing)):
        loss, accuracy = model.evaluate(*part, verbose=0)
        print(f"{name}: loss {loss:.3f}, accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
