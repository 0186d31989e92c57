"""The part of the network that has been trained on another task before."""

from tensorflow import keras
from tensorflow.keras import layers


def make_backbone():
    return keras.Sequential(
        [
            keras.Input((64,)),
            layers.Dense(32, activation="relu"),
            layers.Dense(6, activation="tanh"),
        ],
        name="backbone",
    )


def pretrained_backbone(images, labels, classes, epochs=10):
    """Train a backbone with a throw-away classifier and give the backbone back."""
    backbone = make_backbone()
    classifier = keras.Sequential([keras.Input((64,)), backbone, layers.Dense(classes, activation="softmax")])
    classifier.compile(keras.optimizers.Adam(3e-3), "sparse_categorical_crossentropy")
    classifier.fit(images, labels, batch_size=64, epochs=epochs, verbose=0)
    return backbone


def freeze(network):
    network.trainable = False


def unfreeze(network):
    network.trainable = True
