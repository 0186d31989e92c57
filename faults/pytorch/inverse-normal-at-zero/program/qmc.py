"""Quasi-random normal samples: Sobol points through the inverse normal distribution."""

import math

import torch
from torch.quasirandom import SobolEngine


class NormalQMCEngine:
    def __init__(self, dimension):
        self.engine = SobolEngine(dimension)

    def draw(self, count, dtype=torch.float32):
        samples = self.engine.draw(count, dtype=dtype)
        # the inverse is infinite at 0 and 1: shrink the points towards the middle
        inside = 0.5 + (1 - 1e-10) * (samples - 0.5)
        return torch.erfinv(2 * inside - 1) * math.sqrt(2)
