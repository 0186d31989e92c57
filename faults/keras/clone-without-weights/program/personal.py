"""One model for all volunteers, and from it a personal one for each new wearer."""

import numpy as np
from tensorflow import keras

from population import ACTIVITIES, CHANNELS, Person


def make_model():
    return keras.Sequential([
        keras.layers.InputLayer((CHANNELS,)),
        keras.layers.Dense(48, activation="relu"),
        keras.layers.Dense(24, activation="relu"),
        keras.layers.Dense(len(ACTIVITIES), activation="softmax"),
    ])


def prepare(model, rate):
    model.compile(
        optimizer=keras.optimizers.Adam(rate),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


def general_model(volunteers=25, windows=60, epochs=10):
    records = [Person().record(windows) for _ in range(volunteers)]
    readings = np.concatenate([readings for readings, _ in records])
    activity = np.concatenate([activity for _, activity in records])
    model = prepare(make_model(), 3e-3)
    model.fit(readings, activity, batch_size=64, epochs=epochs, verbose=0)
    return model


def personal_model(general, readings, activity, epochs=8):
    """A copy of the general model that has seen some windows of one wearer."""
    personal = prepare(keras.models.clone_model(general), 2e-3)
    personal.fit(readings, activity, batch_size=6, epochs=epochs, verbose=0)
    return personal


def main(wearers=3):
    general = general_model()
    for number in range(1, wearers + 1):
        wearer = Person()
        personal = personal_model(general, *wearer.record(18))
        readings, activity = wearer.record(300)
        _, before = general.evaluate(readings, activity, verbose=0)
        _, after = personal.evaluate(readings, activity, verbose=0)
        print(f"wearer {number}: general model {before:.2f}, personal model {after:.2f}")


if __name__ == "__main__":
    main()
