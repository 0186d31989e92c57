"""Train a small network to remove noise from handwritten digits."""

import copy
import math

import torch
from sklearn.datasets import load_digits
from torch import nn

from sampler import PairSampler

NOISE = 0.3
EPOCHS = 6
INNER_EPOCHS = 3
BATCH = 64


def load_images():
    images = load_digits().images / 16
    return images[:1000], images[1000:1200]


def make_model():
    return nn.Sequential(
        nn.Flatten(), nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, 64), nn.Unflatten(1, (8, 8))
    )


def train_inner_epoch(model, optimizer, pairs):
    """One pass over a set of pairs; returns the mean squared error."""
    inputs, targets = (torch.from_numpy(part) for part in pairs)
    total = 0.0
    for batch in torch.randperm(len(inputs)).split(BATCH):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(inputs[batch]), targets[batch])
        loss.backward()
        optimizer.step()
        total += loss.item() * len(batch)
    return total / len(inputs)


@torch.no_grad()
def psnr(model, pairs):
    inputs, targets = (torch.from_numpy(part) for part in pairs)
    return -10 * math.log10(nn.functional.mse_loss(model(inputs), targets).item())


def train(model, train_images, valid_images, epochs=EPOCHS, inner_epochs=INNER_EPOCHS):
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    train_sampler = PairSampler(train_images, NOISE, repeat=True)
    valid_sampler = PairSampler(valid_images, NOISE)
    best_score, best_model = -math.inf, None
    for epoch in range(epochs):
        if epoch < epochs - 1:
            train_sampler.reload()
        for _ in range(inner_epochs):
            loss = train_inner_epoch(model, optimizer, train_sampler.get())
            score = psnr(model, valid_sampler.get())
            if score > best_score:
                best_score, best_model = score, copy.deepcopy(model)
        print(f"epoch {epoch + 1}: loss {loss:.4f}, {score:.2f} dB on validation images")
    train_sampler.close()
    valid_sampler.close()
    return best_model, best_score


def main():
    train_images, valid_images = load_images()
    _, score = train(make_model(), train_images, valid_images)
    print(f"best {score:.2f} dB")


if __name__ == "__main__":
    main()
