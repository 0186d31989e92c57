import numpy as np
from tensorflow import keras


class FrameSequences(keras.utils.Sequence):
    """Batches of `steps` consecutive frames and the frame that follows them.

    `films` is a list of arrays (frames, height, width) with values from 0 to 1.
    """

    def __init__(self, films, steps=4, batch_size=32, shuffle=False):
        super().__init__()
        self.films = films
        self.steps = steps
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.starts = [
            (number, first)
            for number, film in enumerate(films)
            for first in range(len(film) - steps)
        ]
        self.on_epoch_end()

    @property
    def samples(self):
        return len(self.starts)

    def __len__(self):
        return -(-self.samples // self.batch_size)

    def on_epoch_end(self):
        if self.shuffle:
            np.random.shuffle(self.starts)

    def __getitem__(self, index):
        chosen = self.starts[index * self.batch_size : (index + 1) * self.batch_size]
        shape = self.films[0].shape[1:]
        seen = np.zeros((self.batch_size, self.steps) + shape, dtype="float32")
        following = np.zeros((self.batch_size,) + shape, dtype="float32")
        for row, (number, first) in enumerate(chosen):
            film = self.films[number]
            seen[row] = film[first : first + self.steps]
            following[row] = film[first + self.steps]
        return seen, following
