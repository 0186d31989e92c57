"""Prepares the next set of training pairs while the current one is in use."""

import queue
import threading

import numpy as np


def noisy_pairs(images, noise, generator):
    """Shifted digits as targets, the same digits under noise as inputs."""
    targets = np.zeros_like(images)
    for index, image in enumerate(images):
        dy, dx = generator.integers(-1, 2, size=2)
        targets[index] = np.roll(image, (dy, dx), axis=(0, 1))
    inputs = targets + generator.normal(0, noise, size=targets.shape)
    return inputs.astype(np.float32), targets.astype(np.float32)


class PairSampler:
    def __init__(self, images, noise, repeat=False):
        self.images = images
        self.noise = noise
        self.repeat = repeat
        self.generator = np.random.default_rng(np.random.randint(2**31))
        self.results = queue.Queue()
        self.worker = None
        self.pairs = None
        self._reload = True
        self._start()

    def _start(self):
        self.worker = threading.Thread(target=self._work, daemon=True)
        self.worker.start()

    def _work(self):
        self.results.put(noisy_pairs(self.images, self.noise, self.generator))

    def reload(self):
        """Let the next call of `get` hand out a new set."""
        self._reload = True

    def get(self):
        if self.worker is not None and self._reload:
            self.pairs = self.results.get()
            self.worker.join()
            self.worker = None
            self._reload = False
            if self.repeat:
                self._start()
        return self.pairs

    def close(self):
        if self.worker is not None:
            self.worker.join()
            self.worker = None
