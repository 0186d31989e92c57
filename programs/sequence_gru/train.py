"""Trains a recurrent network that tells spam from ham by the subject, read word by word.

    python3 train.py                          # the mail corpus at /data/spam
    python3 train.py --data DIR               # or elsewhere
    python3 train.py --epochs 1 --limit 100   # quickly, on 100 subjects of each class

Prints one line per epoch and the accuracy on the test set, and writes metrics.json. The same seed
gives the same numbers. data.py reads subjects, model.py is the network.
"""

import argparse
import json
import random
import time

import numpy as np
import torch
from torch import nn

from data import UNKNOWN, load_data
from model import SequenceGRU


def parse_arguments():
    parser = argparse.ArgumentParser(description="Train a classifier of subjects.")
    parser.add_argument("--data", default="/data/spam", help="folder of mails")
    parser.add_argument("--limit", type=int, default=800, help="subjects of each class")
    parser.add_argument("--length", type=int, default=12, help="words of a subject that count")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=50)
    parser.add_argument("--learning-rate", type=float, default=5e-3)
    parser.add_argument("--clip", type=float, default=1.0, help="largest norm of the gradient")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", default="metrics.json")
    return parser.parse_args()


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def build(arguments, vocabulary):
    """The network and what trains it."""
    model = SequenceGRU(words=len(vocabulary) + UNKNOWN + 1)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=arguments.learning_rate)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.8)
    return model, nn.CrossEntropyLoss(), optimizer, scheduler


def train_epoch(model, loader, criterion, optimizer, clip):
    """One pass over the training set; the mean loss."""
    model.train()
    total = 0.0
    for rows, lengths, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(rows, lengths), labels)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        total += loss.item() * len(labels)
    return total / len(loader.dataset)


@torch.no_grad()
def evaluate(model, loader, criterion):
    """Mean loss and accuracy."""
    model.eval()
    total, correct = 0.0, 0
    for rows, lengths, labels in loader:
        scores = model(rows, lengths)
        total += criterion(scores, labels).item() * len(labels)
        correct += (scores.argmax(dim=1) == labels).sum().item()
    return total / len(loader.dataset), correct / len(loader.dataset)


def train(model, loader, criterion, optimizer, scheduler, epochs, clip):
    for epoch in range(epochs):
        loss = train_epoch(model, loader, criterion, optimizer, clip)
        scheduler.step()
        print(f"epoch {epoch + 1} loss {loss:.6f} learning rate {scheduler.get_last_lr()[0]:.5f}", flush=True)


def main():
    arguments = parse_arguments()
    set_seed(arguments.seed)
    vocabulary, (train_loader, test_loader) = load_data(
        arguments.data, arguments.limit, arguments.length, arguments.batch_size, arguments.seed
    )
    model, criterion, optimizer, scheduler = build(arguments, vocabulary)

    start = time.perf_counter()
    train(model, train_loader, criterion, optimizer, scheduler, arguments.epochs, arguments.clip)
    seconds = time.perf_counter() - start

    loss, accuracy = evaluate(model, test_loader, criterion)
    print(f"test loss {loss:.6f}")
    print(f"test accuracy {accuracy:.4f}")
    print(f"training seconds {seconds:.2f}")
    with open(arguments.output, "w") as file:
        json.dump({"accuracy": accuracy, "loss": loss, "training_seconds": seconds}, file)


if __name__ == "__main__":
    main()
