"""Handwritten digits in the IDX format of MNIST."""

import pathlib

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

SIDE = 28
IMAGE_HEADER, LABEL_HEADER = 16, 8
MEAN, DEVIATION = 0.1307, 0.3081


def read_images(path, count):
    """The first `count` images, pixels from 0 to 255."""
    data = np.fromfile(path, dtype=np.uint8, count=IMAGE_HEADER + count * SIDE * SIDE)
    return data[IMAGE_HEADER:].reshape(-1, 1, SIDE, SIDE)


def read_labels(path, count):
    data = np.fromfile(path, dtype=np.uint8, count=LABEL_HEADER + count)
    return data[LABEL_HEADER:].astype(np.int64)


def normalise(images):
    """Pixels of mean 0 and standard deviation 1 over all of MNIST."""
    return (images.astype(np.float32) / 255 - MEAN) / DEVIATION


class Digits(Dataset):
    """Images with their labels; in training each image is moved by up to `shift` pixels."""

    def __init__(self, images, labels, shift=0, seed=0):
        super().__init__()
        self.images = torch.from_numpy(normalise(images))
        self.labels = torch.from_numpy(labels)
        self.shift = shift
        self.generator = torch.Generator().manual_seed(seed)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        image = self.images[index]
        if self.shift > 0:
            down, right = torch.randint(-self.shift, self.shift + 1, (2,), generator=self.generator).tolist()
            image = torch.roll(image, (down, right), dims=(1, 2))
        return image, self.labels[index]


def load_data(folder, limit, batch_size, seed):
    """Loaders of the training and the test set: a seeded choice of `limit` and `limit // 2` digits."""
    root = pathlib.Path(folder)
    rng = np.random.default_rng(seed)
    loaders = []
    for name, stored, count in (("train", 60000, limit), ("t10k", 10000, limit // 2)):
        images = read_images(root / f"{name}-images-idx3-ubyte", stored)
        labels = read_labels(root / f"{name}-labels-idx1-ubyte", stored)
        chosen = rng.permutation(len(labels))[:count]
        training = name == "train"
        dataset = Digits(images[chosen], labels[chosen], shift=1 if training else 0, seed=seed)
        generator = torch.Generator().manual_seed(seed)
        loaders.append(DataLoader(dataset, batch_size=batch_size, shuffle=training, generator=generator))
    return loaders
