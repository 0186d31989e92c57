"""Compare small networks on the breast cancer data and choose the one to go on with."""

import json
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from tensorflow import keras
from tensorflow.keras import layers

CANDIDATES = {"linear": [], "narrow": [8], "wide": [48], "deep": [24, 12]}
CRITERION = "auc"


def load_data(random_state=3):
    x, y = load_breast_cancer(return_X_y=True)
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    y = 1 - y  # malignant is what we look for
    return train_test_split(x.astype("float32"), y, test_size=0.35, stratify=y, random_state=random_state)


def make_network(hidden, inputs=30):
    network = keras.Sequential([keras.Input(shape=(inputs,))])
    for units in hidden:
        network.add(layers.Dense(units, activation="relu"))
    network.add(layers.Dense(1, activation="sigmoid"))
    network.compile(
        optimizer=keras.optimizers.Adam(0.01),
        loss="binary_crossentropy",
        metrics=[
            keras.metrics.BinaryAccuracy(name="accuracy"),
            keras.metrics.Precision(name="precision"),
            keras.metrics.Recall(name="recall"),
            keras.metrics.AUC(name="auc"),
        ],
    )
    return network


def score(network, x, y):
    values = network.evaluate(x, y, batch_size=256, verbose=0)
    return {name: float(value) for name, value in zip(network.metrics_names, values)}


def compare(candidates, data, epochs=8):
    x_train, x_test, y_train, y_test = data
    table = {}
    for name, hidden in candidates.items():
        network = make_network(hidden)
        network.fit(x_train, y_train, epochs=epochs, batch_size=32, verbose=0)
        table[name] = score(network, x_test, y_test)
    chosen = max(table, key=lambda name: table[name][CRITERION])
    return chosen, table


def main():
    chosen, table = compare(CANDIDATES, load_data())
    for name, scores in table.items():
        print(f"{name:8s}", "  ".join(f"{metric} {value:.3f}" for metric, value in scores.items()))
    print("chosen:", chosen)
    with open("comparison.json", "w") as file:
        json.dump({"chosen": chosen, "scores": table}, file, indent=2)


if __name__ == "__main__":
    main()
