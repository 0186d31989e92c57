"""Simulated readings of a wrist sensor during everyday activities."""

import numpy as np

ACTIVITIES = ["sitting", "walking", "stairs up", "stairs down", "cycling", "running"]
CHANNELS = 12

_centres = np.random.RandomState(12).normal(0, 1.0, (len(ACTIVITIES), CHANNELS))


class Person:
    """Everybody wears the sensor a little differently and moves in a way of their own."""

    def __init__(self):
        self.shift = np.random.normal(0, 0.6, CHANNELS)
        self.habit = np.random.normal(0, 0.25, _centres.shape)

    def record(self, windows):
        activity = np.arange(windows) % len(ACTIVITIES)
        readings = _centres[activity] + self.habit[activity] + self.shift
        readings = readings + np.random.normal(0, 0.6, readings.shape)
        return readings.astype("float32"), activity.astype("int32")
