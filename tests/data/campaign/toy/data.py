"""Points of two noisy arcs, made by a seeded generator."""

import dataclasses
import math

import numpy as np

POINTS = 240
NOISE = 0.25
TEST_SHARE = 0.25


@dataclasses.dataclass
class Split:
    train: tuple
    test: tuple


def arc(count, phase=0.0, shift=(0.0, 0.0)):
    angles = np.linspace(0, math.pi, count) + phase
    return np.stack([np.cos(angles) + shift[0], np.sin(angles) + shift[1]], axis=1)


def make_points(rng, noise=NOISE):
    half = POINTS // 2
    points = np.concatenate([arc(half), arc(half, phase=math.pi, shift=(1.0, 0.5))])
    labels = np.array([0] * half + [1] * half)
    return points + rng.normal(0, noise, points.shape), labels


def split(points, labels, rng):
    order = rng.permutation(len(labels))
    held_out = int(len(labels) * TEST_SHARE)
    test, train = order[:held_out], order[held_out:]
    return Split((points[train], labels[train]), (points[test], labels[test]))


def batches(points, labels, rng, size=20):
    """A generator: the state between two batches lives in its frame."""
    order = rng.permutation(len(labels))
    for start in range(0, len(order), size):
        chosen = order[start : start + size]
        yield points[chosen], labels[chosen]
