"""Predict how diabetes progresses within a year from ten baseline measurements."""

import numpy as np
from sklearn.datasets import load_diabetes
from tensorflow import keras

PATIENCE = 100


def load_patients(training=90, validation=120):
    patients = load_diabetes()
    order = np.random.RandomState(7).permutation(len(patients.target))
    measurements = (patients.data[order] / patients.data.std()).astype("float32")
    progression = (patients.target[order, None] / 100.0).astype("float32")
    known = slice(0, training)
    held_out = slice(training, training + validation)
    return (measurements[known], progression[known]), (measurements[held_out], progression[held_out])


def build_model(features):
    model = keras.Sequential(
        [
            keras.Input(shape=(features,)),
            keras.layers.Dense(128, activation="relu"),
            keras.layers.Dense(128, activation="relu"),
            keras.layers.Dense(1),
        ]
    )
    model.compile(optimizer=keras.optimizers.Adam(learning_rate=0.01), loss="mse")
    return model


def train(model, known, held_out, epochs=80):
    stopper = keras.callbacks.EarlyStopping(
        monitor="val_loss", patience=PATIENCE, restore_best_weights=True
    )
    history = model.fit(
        *known,
        validation_data=held_out,
        epochs=epochs,
        batch_size=30,
        callbacks=[stopper],
        verbose=0,
    )
    return history.history


def main():
    known, held_out = load_patients()
    model = build_model(known[0].shape[1])
    history = train(model, known, held_out)
    best = int(np.argmin(history["val_loss"]))
    print(f"best validation error {history['val_loss'][best]:.3f} in epoch {best + 1}")
    print(f"the model that is kept: {model.evaluate(*held_out, verbose=0):.3f}")
    model.save("progression.keras")


if __name__ == "__main__":
    main()
