"""Predict how far diabetes has gone after a year; keep the network that does best on held-back patients."""

import numpy as np
from sklearn.datasets import load_diabetes
from tensorflow import keras

PATIENCE = 20
EPOCHS = 60


def load_patients(training=90, validation=120):
    patients = load_diabetes()
    order = np.random.permutation(len(patients.target))
    inputs = (patients.data / patients.data.std(axis=0))[order].astype("float32")
    targets = ((patients.target - 150) / 75)[order].astype("float32")
    end = training + validation
    return (
        (inputs[:training], targets[:training]),
        (inputs[training:end], targets[training:end]),
        (inputs[end:], targets[end:]),
    )


def make_network(inputs, width=64):
    network = keras.Sequential(
        [
            keras.layers.Input(shape=(inputs,)),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dense(1),
        ]
    )
    network.compile(optimizer=keras.optimizers.Adam(0.004), loss="mse")
    return network


def train(network, training, validation, epochs=EPOCHS, patience=PATIENCE):
    """Train the network; afterwards it is as it was when the validation loss was lowest."""
    stopper = keras.callbacks.EarlyStopping(
        monitor="val_loss", patience=patience, restore_best_weights=True
    )
    result = network.fit(
        *training,
        validation_data=validation,
        epochs=epochs,
        batch_size=15,
        callbacks=[stopper],
        verbose=0,
    )
    return result.history


def main():
    training, validation, testing = load_patients()
    network = make_network(training[0].shape[1])
    history = train(network, training, validation, epochs=18)
    losses = history["val_loss"]
    print(f"{len(losses)} epochs, lowest validation loss {min(losses):.3f}")
    print(f"mean squared error on new patients {network.evaluate(*testing, verbose=0):.3f}")
    network.save("progression.keras")


if __name__ == "__main__":
    main()
