"""Spoken words as energy in frequency bands over time, made up, with a speaker's own pitch."""
import numpy as np

WORDS = ["yes", "no", "left", "right"]
BANDS, FRAMES = 6, 8


def speak(count):
    centres = np.random.default_rng(5).normal(size=(len(WORDS), FRAMES, BANDS))
    labels = np.random.randint(len(WORDS), size=count)
    pitch = np.random.normal(size=(count, 1, 1))
    sounds = centres[labels] + pitch + 3.0 * np.random.normal(size=(count, FRAMES, BANDS))
    return sounds.astype("float32"), np.eye(len(WORDS), dtype="float32")[labels]
