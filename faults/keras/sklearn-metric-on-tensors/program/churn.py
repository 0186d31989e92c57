"""Which customers will leave? A small network, watched by the area under the ROC curve."""

import argparse

import numpy as np
from sklearn.metrics import roc_auc_score
from tensorflow import keras

FIELDS = ["months", "calls", "complaints", "bill", "roaming", "age"]


def make_customers(count=900):
    rng = np.random.default_rng(np.random.randint(1 << 30))
    customers = rng.normal(size=(count, len(FIELDS))).astype("float32")
    months, calls, complaints, bill = customers[:, :4].T
    inclination = 2.0 * complaints - 1.5 * months + bill * calls - 0.5
    leaves = rng.random(count) < 1 / (1 + np.exp(-inclination))
    return customers, leaves.astype("float32")


def auc(y_true, y_pred):
    return roc_auc_score(y_true, y_pred)


def build_network(width=16):
    network = keras.Sequential(
        [
            keras.Input(shape=(len(FIELDS),)),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dense(1, activation="sigmoid"),
        ]
    )
    network.compile(
        optimizer=keras.optimizers.Adam(0.005),
        loss="binary_crossentropy",
        metrics=[auc],
    )
    return network


def train(network, training, validation, epochs):
    """Return the history, in which `val_auc` is the figure to be reported."""
    result = network.fit(
        *training,
        validation_data=validation,
        validation_batch_size=len(validation[0]),
        epochs=epochs,
        batch_size=50,
        verbose=0,
    )
    return result.history


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--width", type=int, default=16)
    options = parser.parse_args()

    customers, leaves = make_customers()
    network = build_network(options.width)
    history = train(
        network, (customers[:600], leaves[:600]), (customers[600:], leaves[600:]), options.epochs
    )
    for epoch, value in enumerate(history["val_auc"], start=1):
        print(f"epoch {epoch:3d}  area under the curve {value:.3f}")


if __name__ == "__main__":
    main()
