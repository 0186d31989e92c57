import math

import numpy as np
from tensorflow import keras


class DigitBatches(keras.utils.Sequence):
    """Batches of scans that lie in one folder for each class."""

    def __init__(self, folders, batch_size=50, shuffle=True):
        super().__init__()
        self.scans = np.concatenate([folders[name] for name in sorted(folders)])
        self.classes = np.repeat(np.arange(len(folders)), [len(folders[name]) for name in sorted(folders)])
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.order = np.arange(len(self.scans))
        self.on_epoch_end()

    def __len__(self):
        return math.ceil(len(self.scans) / self.batch_size)

    def __getitem__(self, number):
        rows = self.order[number * self.batch_size : (number + 1) * self.batch_size]
        return self.scans[rows][..., np.newaxis] / 16.0, self.classes[rows]

    def on_epoch_end(self):
        if self.shuffle:
            np.random.shuffle(self.order)
