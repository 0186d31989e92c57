"""Train a price model for second-hand bicycles and put the best of all epochs into the shop."""

import os
import shutil
import tempfile

import numpy as np
from tensorflow.keras import Input, Sequential
from tensorflow.keras.callbacks import ModelCheckpoint
from tensorflow.keras.layers import Dense
from tensorflow.keras.models import load_model
from tensorflow.keras.optimizers import Adam

NAME = "bike-{epoch:02d}"


def make_offers(count, noise=1.0):
    """Standardised age, weight, gears and eleven other facts, and the logarithm of the price."""
    facts = np.random.randn(count, 14).astype("float32")
    price = 0.8 * facts[:, 0] - 0.5 * facts[:, 1] * facts[:, 2]
    return facts, (price + noise * np.random.randn(count)).astype("float32")


def create():
    model = Sequential([Input((14,)), Dense(64, activation="relu"), Dense(64, activation="relu"), Dense(1)])
    model.compile(optimizer=Adam(0.005), loss="mse")
    return model


def train(training, validation, folder, epochs=20):
    """Train and keep in `folder` the model of every epoch that was better than all before it."""
    model = create()
    path = os.path.join(folder, "{}.keras")
    checkpoint = ModelCheckpoint(path.format(NAME, monitor="val_loss", save_best_only=True, mode="min"))
    history = model.fit(
        *training,
        epochs=epochs,
        batch_size=16,
        validation_data=validation,
        callbacks=[checkpoint],
        verbose=0,
    )
    return history.history


def best_model(folder):
    """The newest model is the best, as a model is kept only when it is better."""
    newest = sorted(name for name in os.listdir(folder) if name.endswith(".keras"))[-1]
    print("the shop gets", newest)
    return load_model(os.path.join(folder, newest))


def main():
    training, validation = make_offers(100), make_offers(150)
    folder = tempfile.mkdtemp()
    try:
        history = train(training, validation, folder)
        print("models kept:", len(os.listdir(folder)), "of", len(history["val_loss"]))
        model = best_model(folder)
        print("error of the best epoch %.3f" % min(history["val_loss"]))
        print("error of the shop's model %.3f" % model.evaluate(*validation, verbose=0))
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
