"""A toy trainer for tests of the campaign engine: everything that a warm start must get right.

Functions that run once, in every epoch, in some epochs or only in the last; constants of modules,
default arguments, class attributes, super().__init__(), closures, generators, properties, global
random states, and code that no run reaches. About 0.3 s.
"""

import argparse
import json
import random

import numpy as np

import data
from model import Network, make_momentum, softmax

EPOCHS = 9
RATE = 0.05
history = []
smooth = lambda old, new, share=0.5: old * share + new * (1 - share)


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    return parser.parse_args()


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)


def prepare(seed):
    """Once, at the start."""
    rng = np.random.default_rng(seed)
    points, labels = data.make_points(rng)
    return data.split(points, labels, rng), rng


def cross_entropy(probabilities, labels, floor=1e-12):
    return -np.log(probabilities[np.arange(len(labels)), labels] + floor).mean()


def train_epoch(network, step, part, rng, rate):
    """The checkpoint: returns the mean loss."""
    network.training = True
    total, seen = 0.0, 0
    for points, labels in data.batches(*part, rng):
        probabilities = softmax(network.forward(points))
        total += cross_entropy(probabilities, labels) * len(labels)
        seen += len(labels)
        error = probabilities.copy()
        error[np.arange(len(labels)), labels] -= 1
        step(network.gradients(error / len(labels)), rate)
    return total / seen


def evaluate(network, part):
    network.training = False
    probabilities = softmax(network.forward(part[0]))
    return cross_entropy(probabilities, part[1]), float((probabilities.argmax(axis=1) == part[1]).mean())


def jitter(network, width=0.01):
    """In every third epoch."""
    network.first.bias += random.uniform(-width, width)


def finish(network):
    """Only after the last epoch: small weights are dropped."""
    for array in network.parameters():
        array[np.abs(array) < 0.001] = 0
    return sum(array.size for array in network.parameters())


def report(epoch, loss, accuracy):
    history.append(loss)
    mean = history[0]
    for value in history[1:]:
        mean = smooth(mean, value)
    print(f"epoch {epoch + 1} loss {loss:.6f} smoothed {mean:.6f} accuracy {accuracy:.4f}", flush=True)


def train(network, parts, rng, epochs):
    step = make_momentum(network.parameters())
    rate = RATE
    for epoch in range(epochs):
        loss = train_epoch(network, step, parts.train, rng, rate)
        if epoch % 3 == 2:
            jitter(network)
            rate *= 0.8
        if epoch > 100:
            rate = 0  # never reached
        report(epoch, loss, evaluate(network, parts.test)[1])
        if epoch + 1 == epochs:
            print(f"{finish(network)} weights", flush=True)


def main():
    arguments = parse_arguments()
    set_seed(arguments.seed)
    parts, rng = prepare(arguments.seed)
    network = Network(seed=arguments.seed)
    train(network, parts, rng, arguments.epochs)
    loss, accuracy = evaluate(network, parts.test)
    print(f"test loss {loss:.6f}")
    print(f"test accuracy {accuracy:.4f}")
    with open("metrics.json", "w") as file:
        json.dump({"accuracy": accuracy, "test": {"loss": float(loss)}}, file)


if __name__ == "__main__":
    main()
