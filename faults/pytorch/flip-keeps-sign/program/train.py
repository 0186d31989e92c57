"""Correct the windows of a digit detector: regress the box from what they show."""

import numpy as np
import torch
from torch import nn

from windows import INPUT, make_windows

FLIP_PROBABILITY = 0.5


def transform(image, offsets):
    """A training example as it is, or its mirror image."""
    if np.random.rand() < FLIP_PROBABILITY:
        image = image[:, ::-1]
        dx1, dy1, dx2, dy2 = offsets
        offsets = np.array([dx2, dy1, dx1, dy2], dtype=np.float32)
    return image, offsets


def batches(images, offsets, size):
    order = np.random.permutation(len(images))
    for start in range(0, len(order), size):
        examples = [transform(images[i], offsets[i]) for i in order[start:start + size]]
        x, y = zip(*examples)
        yield torch.from_numpy(np.stack(x)), torch.from_numpy(np.stack(y))


def make_model():
    return nn.Sequential(
        nn.Flatten(), nn.Linear(INPUT * INPUT, 128), nn.ReLU(),
        nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 4),
    )


def train(model, images, offsets, epochs=12):
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(epochs):
        total = 0.0
        for x, y in batches(images, offsets, 50):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(x)
        print(f"epoch {epoch + 1}: loss {total / len(images):.5f}")


def overlap(a, b):
    """Intersection over union of each box in `a` with the one in `b`."""
    low, high = np.maximum(a[:, :2], b[:, :2]), np.minimum(a[:, 2:], b[:, 2:])
    shared = np.clip(high - low, 0, None).prod(axis=1)
    area_a, area_b = ((box[:, 2:] - box[:, :2]).prod(axis=1) for box in (a, b))
    return shared / (area_a + area_b - shared)


@torch.no_grad()
def evaluate(model, images, offsets, windows):
    """Mean overlap of the corrected windows with the boxes of the digits."""
    side = windows[:, 2:3] - windows[:, 0:1]
    corrected = windows + model(torch.from_numpy(images)).numpy() * side
    return overlap(corrected, windows + offsets * side).mean()


def main():
    images, offsets, _ = make_windows("train", 2000)
    model = make_model()
    train(model, images, offsets)
    print(f"overlap {evaluate(model, *make_windows('t10k', 500)):.3f}")


if __name__ == "__main__":
    main()
