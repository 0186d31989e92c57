"""Forecast the electricity load of the next hour from the 24 hours before it."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

WINDOW = 24


def make_load(days=28, noise=0.05):
    """Hourly load of a small town: a daily and a weekly rhythm, and noise."""
    hour = np.arange(24 * days)
    daily = np.sin(2 * np.pi * (hour - 7) / 24) + 0.4 * np.sin(4 * np.pi * hour / 24)
    weekly = 0.3 * (hour // 24 % 7 < 5)
    return (daily + weekly + noise * np.random.randn(len(hour))).astype("float32")


def make_windows(series, window=WINDOW):
    starts = np.arange(len(series) - window)
    inputs = np.stack([series[start : start + window] for start in starts])
    return inputs[..., np.newaxis], series[window:, np.newaxis]


def build_model(units=(24, 16)):
    model = keras.Sequential()
    model.add(keras.Input(shape=(WINDOW, 1)))
    for count in units:
        model.add(layers.LSTM(count))
    model.add(layers.Dense(1))
    model.compile(optimizer=keras.optimizers.Adam(learning_rate=0.01), loss="mse")
    return model


def train(model, inputs, targets, epochs=10):
    return model.fit(inputs, targets, epochs=epochs, batch_size=64, verbose=0)


def main():
    series = make_load()
    split = int(0.8 * len(series))
    model = build_model()
    model.summary()
    history = train(model, *make_windows(series[:split]))
    print(f"training loss {history.history['loss'][-1]:.4f}")

    inputs, targets = make_windows(series[split:])
    forecast = model.predict(inputs, verbose=0)
    naive = np.mean((inputs[:, -1] - targets) ** 2)
    print(f"squared error {np.mean((forecast - targets) ** 2):.4f}, last hour repeated {naive:.4f}")


if __name__ == "__main__":
    main()
