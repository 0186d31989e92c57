"""House prices: train today, store the model, and price new offers tomorrow.

    houses.py train           fit the model and store it
    houses.py price 98 4 12   price an offer of 98 square metres, 4 rooms, 12 years old
"""

import sys
from pathlib import Path

import numpy as np
from tensorflow import keras

MODEL = Path("houses.h5")
SCALE = np.array([100.0, 4.0, 30.0], dtype="float32")


def sales(count=600, seed=17):
    generator = np.random.default_rng(seed)
    area = generator.uniform(30, 180, count)
    rooms = np.round(area / 28 + generator.normal(0, 0.6, count)).clip(1, 8)
    age = generator.uniform(0, 80, count)
    price = 20 + 2.4 * area + 9 * rooms - 0.8 * age + generator.normal(0, 8, count)  # thousands
    offers = np.stack([area, rooms, age], axis=1).astype("float32")
    return offers, price.astype("float32").reshape(-1, 1)


def build():
    model = keras.Sequential()
    model.add(keras.Input(shape=(3,)))
    model.add(keras.layers.Dense(32, activation="relu"))
    model.add(keras.layers.Dense(1))
    model.compile(loss="mse", optimizer=keras.optimizers.Adam(learning_rate=0.02))
    return model


def train(path=MODEL, epochs=40):
    offers, price = sales()
    model = build()
    model.fit(offers / SCALE, price / 100, epochs=epochs, batch_size=60, verbose=0)
    model.save(path)
    return path


def price(offers, path=MODEL):
    """The prices, in thousands, of a list of offers."""
    model = keras.models.load_model(path)
    offers = np.asarray(offers, dtype="float32").reshape(-1, 3)
    return model.predict(offers / SCALE, verbose=0)[:, 0] * 100


def main(arguments):
    if arguments[:1] == ["price"]:
        print(f"{price(arguments[1:4])[0]:.0f} thousand")
    elif arguments in ([], ["train"]):
        path = train()
        offers, actual = sales(200, seed=18)
        error = np.abs(price(offers, path) - actual[:, 0]).mean()
        print(f"stored in {path}; the prices of 200 other houses are off by {error:.1f} thousand")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
