"""Trains a LeNet-style classifier of handwritten digits on a part of MNIST.

    python3 train.py                          # MNIST's four files at /data/mnist
    python3 train.py --data DIR               # or elsewhere
    python3 train.py --epochs 1 --limit 200   # quickly, on 200 digits

Prints one line per epoch and the accuracy on the test set, and writes metrics.json. The same seed
gives the same numbers. data.py reads digits, model.py is the network.
"""

import argparse
import json
import random
import time

import numpy as np
import torch
from torch import nn

from data import load_data
from model import LeNet


def parse_arguments():
    parser = argparse.ArgumentParser(description="Train a classifier of digits.")
    parser.add_argument("--data", default="/data/mnist", help="folder of MNIST's files")
    parser.add_argument("--limit", type=int, default=1500, help="digits to train on; half as many for the test")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch-size", type=int, default=50)
    parser.add_argument("--learning-rate", type=float, default=0.02)
    parser.add_argument("--momentum", type=float, default=0.9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", default="metrics.json")
    return parser.parse_args()


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def build(arguments):
    """The network and what trains it."""
    model = LeNet()
    optimizer = torch.optim.SGD(
        model.parameters(), lr=arguments.learning_rate, momentum=arguments.momentum, weight_decay=5e-4
    )
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.8)
    return model, nn.CrossEntropyLoss(), optimizer, scheduler


def train_epoch(model, loader, criterion, optimizer):
    """One pass over the training set; the mean loss."""
    model.train()
    total = 0.0
    for images, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(labels)
    return total / len(loader.dataset)


@torch.no_grad()
def evaluate(model, loader, criterion):
    """Mean loss and accuracy."""
    model.eval()
    total, correct = 0.0, 0
    for images, labels in loader:
        scores = model(images)
        total += criterion(scores, labels).item() * len(labels)
        correct += (scores.argmax(dim=1) == labels).sum().item()
    return total / len(loader.dataset), correct / len(loader.dataset)


def train(model, loader, criterion, optimizer, scheduler, epochs):
    for epoch in range(epochs):
        loss = train_epoch(model, loader, criterion, optimizer)
        scheduler.step()
        print(f"epoch {epoch + 1} loss {loss:.6f} learning rate {scheduler.get_last_lr()[0]:.5f}", flush=True)


def main():
    arguments = parse_arguments()
    set_seed(arguments.seed)
    train_loader, test_loader = load_data(
        arguments.data, arguments.limit, arguments.batch_size, arguments.seed
    )
    model, criterion, optimizer, scheduler = build(arguments)

    start = time.perf_counter()
    train(model, train_loader, criterion, optimizer, scheduler, arguments.epochs)
    seconds = time.perf_counter() - start

    loss, accuracy = evaluate(model, test_loader, criterion)
    print(f"test loss {loss:.6f}")
    print(f"test accuracy {accuracy:.4f}")
    print(f"training seconds {seconds:.2f}")
    with open(arguments.output, "w") as file:
        json.dump({"accuracy": accuracy, "loss": loss, "training_seconds": seconds}, file)


if __name__ == "__main__":
    main()
