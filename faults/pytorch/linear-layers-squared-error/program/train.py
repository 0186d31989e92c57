"""A network of 784, 30 and 10 units for MNIST."""
from pathlib import Path

import numpy as np
import torch
from torch import nn, optim

DATA = Path("data/mnist")
TRAIN_SIZE = 3000
TEST_SIZE = 1000
BATCH_SIZE = 10
EPOCHS = 3
LEARNING_RATE = 3.0


def read_images(name, count):
    pixels = np.fromfile(DATA / name, dtype=np.uint8, count=16 + count * 784)[16:]
    return torch.from_numpy(pixels.reshape(count, 784).astype(np.float32) / 255)


def read_labels(name, count):
    labels = np.fromfile(DATA / name, dtype=np.uint8, count=8 + count)[8:]
    return torch.from_numpy(labels.astype(np.int64))


def load_data():
    training = read_images("train-images-idx3-ubyte", TRAIN_SIZE), read_labels("train-labels-idx1-ubyte", TRAIN_SIZE)
    testing = read_images("t10k-images-idx3-ubyte", TEST_SIZE), read_labels("t10k-labels-idx1-ubyte", TEST_SIZE)
    return training, testing


class Network(nn.Module):
    def __init__(self, inputs=784, hidden=30, classes=10):
        super().__init__()
        self.layer1 = nn.Linear(inputs, hidden)
        self.layer2 = nn.Linear(hidden, classes)
        for layer in (self.layer1, self.layer2):
            nn.init.normal_(layer.weight)
            nn.init.normal_(layer.bias)

    def forward(self, images):
        hidden = self.layer1(images)
        return self.layer2(hidden)


def loss_function(outputs, labels):
    targets = nn.functional.one_hot(labels, outputs.shape[1]).float()
    return nn.functional.mse_loss(outputs, targets)


def train(images, labels, epochs=EPOCHS):
    model = Network()
    optimizer = optim.SGD(model.parameters(), lr=LEARNING_RATE)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for batch in torch.randperm(len(images)).split(BATCH_SIZE):
            optimizer.zero_grad()
            loss = loss_function(model(images[batch]), labels[batch])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(batch)
        print(f"epoch {epoch + 1}  loss {total / len(images):.4f}")
    return model


@torch.no_grad()
def evaluate(model, images, labels):
    model.eval()
    return (model(images).argmax(dim=1) == labels).float().mean().item()


def main():
    training, testing = load_data()
    model = train(*training)
    print(f"test accuracy {evaluate(model, *testing):.4f}")


if __name__ == "__main__":
    main()
