"""Recognise digits on dark 16-bit scans, with shifted copies as extra data."""

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn

import images

DARK = 180  # what the scanner reads without light
GAIN = 24   # counts for each level of ink


def load_scans():
    """The digits as the scanner delivers them: low counts of a 16-bit sensor."""
    digits = load_digits()
    scans = (DARK + GAIN * digits.images).astype(np.uint16)
    labels = digits.target.astype(np.int64)
    return (scans[:1200], labels[:1200]), (scans[1200:], labels[1200:])


def augment(scans, labels, copies=2):
    """A larger training set: each scan `copies` times, moved at random."""
    moved = []
    for _ in range(copies):
        for scan in scans:
            dy, dx = np.random.randint(-1, 2, size=2)
            moved.append(images.to_ndarray(images.shift(images.to_tensor(scan), dy, dx)))
    return np.stack(moved), np.tile(labels, copies)


def make_inputs(scans):
    """Each image with mean 0 and deviation 1."""
    flat = images.to_tensor(scans).flatten(1)
    return (flat - flat.mean(dim=1, keepdim=True)) / (flat.std(dim=1, keepdim=True) + 1e-8)


def train(scans, labels, epochs=8):
    x, y = make_inputs(scans), torch.from_numpy(labels)
    model = nn.Sequential(nn.Linear(64, 48), nn.ReLU(), nn.Linear(48, 10))
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        total = 0.0
        for batch in torch.randperm(len(x)).split(64):
            optimizer.zero_grad()
            loss = criterion(model(x[batch]), y[batch])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(batch)
        print(f"epoch {epoch + 1}: loss {total / len(x):.3f}")
    return model


@torch.no_grad()
def evaluate(model, scans, labels):
    return (model(make_inputs(scans)).argmax(dim=1).numpy() == labels).mean()


def main():
    (train_scans, train_labels), (test_scans, test_labels) = load_scans()
    scans, labels = augment(train_scans, train_labels)
    model = train(scans, labels)
    print(f"accuracy {evaluate(model, scans, labels):.3f} on training scans")
    print(f"accuracy {evaluate(model, test_scans, test_labels):.3f} on test scans")


if __name__ == "__main__":
    main()
