"""Is the room empty, is it a talk, a meeting? Each kind of sensor has its own entry into the network."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

from tables import STATES, read_table


def entry(name, values, units=6):
    """Input, normalisation and first layer of one group."""
    group = keras.Input((values.shape[1],), name=name)
    normalised = layers.Normalization(name=f"{name}_normalised")(group)
    return group, layers.Dense(units, activation="tanh", name=f"{name}_code")(normalised)


def build(table):
    inputs, codes = {}, []
    for name, values in table.items():
        inputs[name], code = entry(name, values)
        codes.append(code)
    joined = layers.Concatenate()(codes)
    hidden = layers.Dense(12, activation="relu")(joined)
    return keras.Model(inputs, layers.Dense(len(STATES), activation="softmax")(hidden))


def train(table, state, epochs=20):
    model = build(table)
    model.compile(
        optimizer=keras.optimizers.Adam(5e-3),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    history = model.fit(table, state, batch_size=32, epochs=epochs, verbose=0)
    return model, history.history


def main():
    model, history = train(*read_table())
    for epoch in range(0, len(history["loss"]), 5):
        print(f"epoch {epoch:2d}  loss {history['loss'][epoch]:.3f}  accuracy {history['accuracy'][epoch]:.3f}")
    table, state = read_table(300)
    predicted = model.predict(table, verbose=0).argmax(axis=1)
    print(f"{np.mean(predicted == state):.3f} of {len(state)} new readings recognised")


if __name__ == "__main__":
    main()
