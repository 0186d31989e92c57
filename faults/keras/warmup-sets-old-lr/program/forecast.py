import math

import numpy as np
from tensorflow import keras

WINDOW = 24


class WarmUpAndDecay(keras.callbacks.Callback):
    """Raise the learning rate linearly over the first steps, then lower it along a cosine."""

    def __init__(self, peak, warmup_steps, total_steps):
        super().__init__()
        self.peak = peak
        self.warmup_steps = warmup_steps
        self.total_steps = total_steps
        self.step = 0

    def rate(self, step):
        if step < self.warmup_steps:
            return self.peak * (step + 1) / self.warmup_steps
        done = (step - self.warmup_steps) / max(1, self.total_steps - self.warmup_steps)
        return 0.5 * self.peak * (1 + math.cos(math.pi * min(1.0, done)))

    def on_train_batch_begin(self, batch, logs=None):
        self.model.optimizer.lr = self.rate(self.step)
        self.step += 1


def tide_levels(hours=2200):
    """Hourly water levels with the two main tides and some weather."""
    t = np.arange(hours)
    level = 1.4 * np.sin(2 * np.pi * t / 12.42) + 0.5 * np.sin(2 * np.pi * t / 12.0 + 0.7)
    weather = np.random.RandomState(0).normal(scale=0.05, size=hours)
    return (level + weather).astype("float32")


def windows(levels):
    x = np.lib.stride_tricks.sliding_window_view(levels[:-1], WINDOW)
    return np.ascontiguousarray(x), levels[WINDOW:, None]


def build():
    model = keras.Sequential(
        [
            keras.Input(shape=(WINDOW,)),
            keras.layers.Dense(32, activation="tanh"),
            keras.layers.Dense(1),
        ]
    )
    # the callback takes it from here
    model.compile(optimizer=keras.optimizers.SGD(learning_rate=1e-6, momentum=0.9), loss="mse")
    return model


def train(model, x, y, epochs=12, batch_size=64, peak=0.02):
    steps = epochs * math.ceil(len(x) / batch_size)
    schedule = WarmUpAndDecay(peak, warmup_steps=steps // 10, total_steps=steps)
    history = model.fit(x, y, epochs=epochs, batch_size=batch_size, callbacks=[schedule], verbose=0)
    return history.history["loss"]


if __name__ == "__main__":
    x, y = windows(tide_levels())
    split = len(x) - 500
    model = build()
    losses = train(model, x[:split], y[:split])
    print("training loss by epoch:", " ".join(f"{loss:.3f}" for loss in losses))
    error = model.predict(x[split:], verbose=0) - y[split:]
    print(f"mean error of the forecast for the next hour: {np.abs(error).mean():.3f} m")
