"""Tell the grower of a wine from thirteen chemical measurements."""

import numpy as np
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from tensorflow.keras import layers, models, optimizers

GROWERS = np.array(["Alba", "Barolo", "Canale"])


class WineNetwork:
    def __init__(self, hidden=12, rate=0.05, epochs=30):
        self.hidden = hidden
        self.rate = rate
        self.epochs = epochs

    def prepare(self, measurements):
        return np.asarray(measurements, dtype="float32")

    def fit(self, measurements, growers):
        inputs = self.prepare(measurements)
        targets = (growers[:, np.newaxis] == GROWERS).astype("float32")
        self.model = models.Sequential()
        self.model.add(layers.Input(shape=(inputs.shape[1],)))
        self.model.add(layers.Dense(self.hidden, activation="tanh"))
        self.model.add(layers.Dense(len(GROWERS), activation="softmax"))
        self.model.compile(
            optimizer=optimizers.SGD(self.rate, momentum=0.9),
            loss="categorical_crossentropy",
            metrics=["accuracy"],
        )
        history = self.model.fit(inputs, targets, epochs=self.epochs, batch_size=16, verbose=0)
        print("accuracy on the training data: {:.3f}".format(history.history["accuracy"][-1]))
        return self

    def predict(self, measurements):
        scores = self.model.predict(self.prepare(measurements), verbose=0)
        return GROWERS[scores.argmax(axis=1)]


def load():
    wine = load_wine()
    return train_test_split(wine.data, GROWERS[wine.target], test_size=0.3, stratify=wine.target)


def main():
    train_x, test_x, train_y, test_y = load()
    network = WineNetwork().fit(train_x, train_y)
    named = network.predict(test_x)
    for grower in GROWERS:
        mine = test_y == grower
        print(f"{grower:8s} {np.sum(named[mine] == grower):2d} of {np.sum(mine)} recognised")


if __name__ == "__main__":
    main()
