"""Trains a sentence classifier: Kim's convolutional network on mails (ham or spam).

    python3 train.py                          # the mail corpus at /data/spam
    python3 train.py --data DIR               # a polarity corpus (*.pos and *.neg) or another folder of mails
    python3 train.py --epochs 1 --limit 100   # quickly, on 100 sentences of each class

Prints one line per epoch and the accuracy on the test set, and writes metrics.json. The same seed
gives the same numbers. data.py reads and encodes sentences, model.py is the network.
"""

import argparse
import copy
import json
import random
import time

import numpy as np
import torch
from torch import nn

from data import UNKNOWN, load_data
from model import SentenceCNN, count_parameters


def parse_arguments():
    parser = argparse.ArgumentParser(description="Train a sentence classifier.")
    parser.add_argument("--data", default="/data/spam", help="folder of mails, or of *.pos and *.neg files")
    parser.add_argument("--limit", type=int, default=1000, help="sentences of each class")
    parser.add_argument("--length", type=int, default=32, help="words of a sentence that count")
    parser.add_argument("--vocabulary", type=int, default=6000, help="words that are known")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=50)
    parser.add_argument("--learning-rate", type=float, default=2e-3)
    parser.add_argument("--weight-decay", type=float, default=1e-4)
    parser.add_argument("--clip", type=float, default=3.0, help="largest norm of the gradient")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", default="metrics.json")
    return parser.parse_args()


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def build(arguments, vocabulary):
    """The network and what trains it."""
    model = SentenceCNN(words=len(vocabulary) + UNKNOWN + 1)
    optimizer = torch.optim.Adam(
        model.parameters(), lr=arguments.learning_rate, weight_decay=arguments.weight_decay
    )
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=3, gamma=0.5)
    return model, nn.CrossEntropyLoss(), optimizer, scheduler


def train_epoch(model, loader, criterion, optimizer, clip):
    """One pass over the training set; the mean loss."""
    model.train()
    total = 0.0
    for indices, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(indices), labels)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        total += loss.item() * len(labels)
    return total / len(loader.dataset)


def evaluate(model, loader, criterion):
    """Mean loss and accuracy."""
    model.eval()
    total, correct = 0.0, 0
    with torch.no_grad():
        for indices, labels in loader:
            scores = model(indices)
            total += criterion(scores, labels).item() * len(labels)
            correct += (scores.argmax(dim=1) == labels).sum().item()
    return total / len(loader.dataset), correct / len(loader.dataset)


def train(model, loaders, criterion, optimizer, scheduler, epochs, clip):
    """Train, keeping the weights that were best on the validation set."""
    best_loss, best_state = float("inf"), None
    for epoch in range(epochs):
        train_loss = train_epoch(model, loaders[0], criterion, optimizer, clip)
        loss, accuracy = evaluate(model, loaders[1], criterion)
        scheduler.step()
        if loss < best_loss:
            best_loss, best_state = loss, copy.deepcopy(model.state_dict())
        print(
            f"epoch {epoch + 1} loss {train_loss:.6f} validation loss {loss:.6f} accuracy {accuracy:.4f}",
            flush=True,
        )
    if best_state is not None:
        model.load_state_dict(best_state)


def main():
    arguments = parse_arguments()
    set_seed(arguments.seed)
    vocabulary, loaders = load_data(
        arguments.data,
        arguments.limit,
        arguments.length,
        arguments.vocabulary,
        arguments.batch_size,
        arguments.seed,
    )
    model, criterion, optimizer, scheduler = build(arguments, vocabulary)
    sizes = ", ".join(str(len(loader.dataset)) for loader in loaders)
    print(f"{len(vocabulary)} words, {sizes} sentences, {count_parameters(model)} weights", flush=True)

    start = time.perf_counter()
    train(model, loaders, criterion, optimizer, scheduler, arguments.epochs, arguments.clip)
    seconds = time.perf_counter() - start

    loss, accuracy = evaluate(model, loaders[2], criterion)
    print(f"test loss {loss:.6f}")
    print(f"test accuracy {accuracy:.4f}")
    print(f"training seconds {seconds:.2f}")
    with open(arguments.output, "w") as file:
        json.dump({"accuracy": accuracy, "loss": loss, "training_seconds": seconds}, file)


if __name__ == "__main__":
    main()
