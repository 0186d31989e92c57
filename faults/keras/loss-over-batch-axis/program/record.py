import numpy as np

from pose import JOINTS, SENSORS, STEPS, make_model

MIXING = np.random.RandomState(5).normal(size=(JOINTS, SENSORS))


def windows(count):
    """Readings of some windows, the angles at their end, and the weight of each."""
    angles = np.cumsum(np.random.normal(0, 0.25, (count, STEPS, JOINTS)), axis=1)
    trusted = np.random.rand(count) < 0.8
    noise = np.where(trusted, 0.05, 1.5)[:, None, None]
    readings = np.tanh(angles @ MIXING / 3) + noise * np.random.normal(size=(count, STEPS, SENSORS))
    weight = np.where(trusted, 1.0, 0.1)
    return readings.astype("float32"), angles[:, -1].astype("float32"), weight.astype("float32")


def fit(count=640, epochs=8, batch_size=32):
    readings, angles, weight = windows(count)
    model = make_model()
    history = model.fit(
        readings, angles, sample_weight=weight, batch_size=batch_size, epochs=epochs, verbose=0
    )
    return model, history.history["loss"]


if __name__ == "__main__":
    model, losses = fit()
    for epoch, loss in enumerate(losses):
        print("epoch %d: mean distance %.3f" % (epoch, loss))
    readings, angles, _ = windows(200)
    distance = np.linalg.norm(model.predict(readings, verbose=0) - angles, axis=1)
    print("new windows: %.3f" % distance.mean())
