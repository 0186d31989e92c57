import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from tensorflow import keras
from tensorflow.keras import layers

from mixup import MixupModel


def load_scans():
    """Digits as a 16-bit scanner delivers them, and one-hot labels."""
    digits = load_digits()
    scans = (digits.data * 4095).astype("float32")
    labels = np.eye(10, dtype="float32")[digits.target]
    return train_test_split(scans, labels, test_size=0.25, random_state=0)


def make_model():
    inputs = keras.Input((64,))
    x = layers.BatchNormalization(momentum=0.9)(inputs)
    for units in (48, 48):
        x = layers.Dense(units)(x)
        x = layers.BatchNormalization(momentum=0.9)(x)
        x = layers.Activation("tanh")(x)
        x = layers.Dropout(0.1)(x)
    return MixupModel(inputs, layers.Dense(10, activation="softmax")(x))


def train(scans, labels, epochs=12):
    model = make_model()
    model.compile(optimizer=keras.optimizers.Adam(3e-3))
    model.fit(scans, labels, batch_size=64, epochs=epochs, verbose=0)
    return model


if __name__ == "__main__":
    scans, new_scans, labels, new_labels = load_scans()
    model = train(scans, labels)
    for name, x, y in (("training", scans, labels), ("new", new_scans, new_labels)):
        loss, accuracy = model.evaluate(x, y, verbose=0)
        print(f"{name} scans: loss {loss:.3f}, accuracy {accuracy:.3f}")
