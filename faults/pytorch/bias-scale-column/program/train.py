"""Train a classifier of digits, then quantise it for a small device."""

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn

from quantize import quantize_model


def load_data():
    digits = load_digits()
    x = torch.tensor(digits.data / 16, dtype=torch.float32)
    y = torch.tensor(digits.target)
    train, test = train_test_split(range(len(x)), test_size=0.25, stratify=y)
    return x[train], y[train], x[test], y[test]


def make_model():
    return nn.Sequential(
        nn.Linear(64, 48), nn.ReLU(),
        nn.Linear(48, 24), nn.ReLU(),
        nn.Linear(24, 10),
    )


def train(model, x, y, epochs=12):
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(epochs):
        for batch in torch.randperm(len(x)).split(32):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x[batch]), y[batch])
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch + 1}: loss {loss.item():.3f}")


@torch.no_grad()
def accuracy(model, x, y):
    return (model(x).argmax(dim=1) == y).float().mean().item()


def main():
    x_train, y_train, x_test, y_test = load_data()
    model = make_model()
    train(model, x_train, y_train)
    print(f"accuracy {accuracy(model, x_test, y_test):.3f} with 32 bits")
    small = quantize_model(model, x_train)
    print(f"accuracy {accuracy(small, x_test, y_test):.3f} with 8 bits")


if __name__ == "__main__":
    main()
