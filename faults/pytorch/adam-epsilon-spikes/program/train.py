"""Fit four properties of handwritten digits with one network.

Before the long run on all images, make sure that the network can learn a
small set by heart.
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

IMAGES = 40
STEPS = 1200
LEARNING_RATE = 1e-2


def describe(images, digits):
    """Centre of gravity, amount of ink and value of each digit, standardised."""
    axis = torch.linspace(-1, 1, images.shape[-1])
    ink = images.sum(dim=(1, 2))
    centre_x = (images.sum(dim=1) * axis).sum(dim=1) / ink
    centre_y = (images.sum(dim=2) * axis).sum(dim=1) / ink
    targets = torch.stack([centre_x, centre_y, ink, digits], dim=1)
    return (targets - targets.mean(dim=0)) / targets.std(dim=0)


def load_data(count=IMAGES):
    digits = load_digits()
    images = torch.tensor(digits.images[:count] / 16, dtype=torch.float32)
    values = torch.tensor(digits.target[:count], dtype=torch.float32)
    return images, describe(images, values)


class Describer(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(64, hidden), nn.ReLU())
        self.position = nn.Linear(hidden, 2)
        self.ink = nn.Linear(hidden, 1)
        self.value = nn.Linear(hidden, 1)

    def forward(self, images):
        features = self.body(images)
        heads = [self.position(features), self.ink(features), self.value(features)]
        return torch.cat(heads, dim=1)


def train(model, images, targets, steps=STEPS):
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE)
    criterion = nn.MSELoss()
    history = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = criterion(model(images), targets)
        loss.backward()
        optimizer.step()
        history.append(loss.item())
    return history


def main():
    images, targets = load_data()
    model = Describer()
    history = train(model, images, targets)
    for step in range(0, STEPS, 100):
        print(f"step {step:5d}  loss {max(history[step:step + 100]):.2e}")
    print(f"last loss {history[-1]:.2e}")


if __name__ == "__main__":
    main()
