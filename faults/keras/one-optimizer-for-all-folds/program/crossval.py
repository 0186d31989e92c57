"""Cross-validated accuracy of a small network that tells benign from malignant tumours."""

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from tensorflow import keras

import settings


def load():
    data = load_breast_cancer()
    return data.data.astype("float32"), data.target.astype("float32")


def make_network(inputs):
    network = keras.Sequential([keras.Input((inputs,))])
    for units in settings.HIDDEN:
        network.add(keras.layers.Dense(units, activation="relu"))
        network.add(keras.layers.Dropout(settings.DROPOUT))
    network.add(keras.layers.Dense(1, activation="sigmoid"))
    network.compile(loss=settings.LOSS, optimizer=settings.OPTIMIZER, metrics=settings.METRICS)
    return network


def one_fold(samples, labels, train, test):
    scaler = StandardScaler().fit(samples[train])
    network = make_network(samples.shape[1])
    network.fit(
        scaler.transform(samples[train]),
        labels[train],
        epochs=settings.EPOCHS,
        batch_size=settings.BATCH_SIZE,
        verbose=0,
    )
    _, accuracy = network.evaluate(scaler.transform(samples[test]), labels[test], verbose=0)
    return network, accuracy


def cross_validate(samples, labels, folds=settings.FOLDS):
    """The network and the accuracy of each fold."""
    networks, scores = [], []
    split = StratifiedKFold(folds, shuffle=True, random_state=7)
    for number, (train, test) in enumerate(split.split(samples, labels), 1):
        network, accuracy = one_fold(samples, labels, train, test)
        print(f"fold {number} of {folds}: accuracy {accuracy:.3f}")
        networks.append(network)
        scores.append(float(accuracy))
    return networks, scores


if __name__ == "__main__":
    _, scores = cross_validate(*load())
    print(f"accuracy {np.mean(scores):.3f} +/- {np.std(scores):.3f}")
