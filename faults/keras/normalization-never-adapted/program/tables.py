"""Readings of the sensors in a meeting room, in their own units."""

import numpy as np

STATES = ["empty", "talk", "meeting"]

# Group, column, usual value, what a full room adds, spread.
COLUMNS = [
    ("air", "temperature in K", 293.5, 2.5, 1.0),
    ("air", "pressure in hPa", 1013.0, 0.0, 6.0),
    ("air", "humidity in %", 41.0, 6.0, 3.0),
    ("gas", "CO2 in ppm", 430.0, 260.0, 70.0),
    ("gas", "VOC in ppb", 120.0, 90.0, 40.0),
    ("sound", "level in dB", 31.0, 17.0, 6.0),
    ("sound", "voices in dB", 18.0, 22.0, 7.0),
]


def read_table(count=900):
    """One matrix for each group of columns, and the state of the room."""
    state = np.random.randint(len(STATES), size=count)
    crowd = np.array([0.0, 0.5, 1.0])[state]
    table = {}
    for group, _, usual, added, spread in COLUMNS:
        values = usual + added * crowd + np.random.normal(0, spread, count)
        table.setdefault(group, []).append(values.astype("float32"))
    return {group: np.stack(columns, axis=1) for group, columns in table.items()}, state.astype("int32")
