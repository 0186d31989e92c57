from pathlib import Path

import numpy as np
import torch
from torch import nn, optim

DATA = Path("data/mnist")
TRAIN_SIZE = 1500
TEST_SIZE = 500
BATCH_SIZE = 50
EPOCHS = 3


def read_images(name, count):
    pixels = np.fromfile(DATA / name, dtype=np.uint8, count=16 + count * 28 * 28)[16:]
    return torch.from_numpy(pixels.reshape(count, 1, 28, 28).astype(np.float32) / 255)


def read_labels(name, count):
    labels = np.fromfile(DATA / name, dtype=np.uint8, count=8 + count)[8:]
    return torch.from_numpy(labels.astype(np.int64))


def load_data():
    train = read_images("train-images-idx3-ubyte", TRAIN_SIZE), read_labels("train-labels-idx1-ubyte", TRAIN_SIZE)
    test = read_images("t10k-images-idx3-ubyte", TEST_SIZE), read_labels("t10k-labels-idx1-ubyte", TEST_SIZE)
    return train, test


def build_model(classes=10):
    return nn.Sequential(
        # C1 and S2
        nn.Conv2d(1, 8, kernel_size=7),
        nn.ReLU(),
        nn.MaxPool2d(2),
        # C3 and S4
        nn.Conv2d(8, 16, kernel_size=6),
        nn.ReLU(),
        nn.MaxPool2d(3),
        # C5
        nn.Conv2d(16, 60, kernel_size=2),
        nn.ReLU(),
        # F6
        nn.Linear(60, 50),
        nn.ReLU(),
        nn.Linear(50, classes),
    )


def train(images, labels, epochs=EPOCHS):
    model = build_model()
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for batch in torch.randperm(len(images)).split(BATCH_SIZE):
            optimizer.zero_grad()
            loss = criterion(model(images[batch]), labels[batch])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(batch)
        print(f"epoch {epoch + 1}  loss {total / len(images):.3f}")
    return model


@torch.no_grad()
def evaluate(model, images, labels):
    model.eval()
    return (model(images).argmax(dim=1) == labels).float().mean().item()


def main():
    training, testing = load_data()
    model = train(*training)
    print(f"test accuracy {evaluate(model, *testing):.3f}")


if __name__ == "__main__":
    main()
