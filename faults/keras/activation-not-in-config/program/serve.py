"""Answer with the digits that a saved model sees in some images."""

import sys

import numpy as np
from tensorflow import keras

import mixer


class Reader:
    def __init__(self, path):
        self.model = keras.models.load_model(path)

    def probabilities(self, images):
        return np.asarray(self.model(np.asarray(images, dtype="float32"), training=False))

    def read(self, images):
        return self.probabilities(images).argmax(axis=1)


def main(path="digits.keras"):
    from train import load_data

    _, images, _, labels = load_data()
    digits = Reader(path).read(images)
    print(f"read {len(digits)} images, {np.mean(digits == labels):.3f} of them right")


if __name__ == "__main__":
    main(*sys.argv[1:])
