"""Estimate the remaining charge of a battery (in per cent) from voltage, current and temperature."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

TOLERANCE = 5.0


def within_tolerance(y_true, y_pred):
    """Share of the estimates that are at most five points off."""
    y_true = tf.cast(y_true, y_pred.dtype)
    return tf.reduce_mean(tf.cast(tf.abs(y_true - y_pred) <= TOLERANCE, tf.float32))


def measurements(count=1500, seed=13):
    random = np.random.default_rng(seed)
    charge = random.uniform(0, 100, count)
    current = random.uniform(0, 3, count)
    temperature = random.uniform(-10, 35, count)
    voltage = 3.2 + 0.009 * charge - 0.08 * current + 0.002 * temperature + 0.008 * random.standard_normal(count)
    x = np.stack([(voltage - 3.6) * 4, current - 1.5, temperature / 20], axis=1).astype("float32")
    return x, charge.astype("float32")


def as_dataset(x, charge, batch_size, shuffle=False):
    dataset = tf.data.Dataset.from_tensor_slices((x, charge))
    if shuffle:
        dataset = dataset.shuffle(len(x))
    return dataset.batch(batch_size)


def estimator():
    model = keras.Sequential([
        keras.Input(shape=(3,)),
        keras.layers.Dense(24, activation="relu"),
        keras.layers.Dense(1),
        keras.layers.Rescaling(50.0, offset=50.0),
    ])
    model.compile(optimizer=keras.optimizers.Adam(0.01), loss="mae", metrics=[within_tolerance])
    return model


def run(epochs=10):
    x, charge = measurements()
    split = 1000
    train = as_dataset(x[:split], charge[:split], 50, shuffle=True)
    held_out = as_dataset(x[split:], charge[split:], 125)
    model = estimator()
    model.fit(train, epochs=epochs, verbose=0)
    scores = model.evaluate(held_out, verbose=0, return_dict=True)
    return model, {name: float(value) for name, value in scores.items()}


if __name__ == "__main__":
    model, scores = run()
    print(f"mean error {scores['loss']:.2f} points")
    print(f"{scores['within_tolerance']:.1%} of the estimates are within {TOLERANCE:g} points")
    if scores["within_tolerance"] < 0.8:
        print("not good enough for the gauge")
