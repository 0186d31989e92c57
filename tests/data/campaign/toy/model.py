"""A network of one hidden layer, its gradient written out, and what trains it."""

import numpy as np

WEIGHT_SCALE = 0.5


class Layer:
    counted = 0

    def __init__(self, name):
        super().__init__()
        self.name = name
        type(self).counted += 1

    def parameters(self):
        return []


class Dense(Layer):
    def __init__(self, inputs, outputs, rng, bias=True):
        super().__init__("dense")
        self.weight = rng.normal(0, WEIGHT_SCALE, (inputs, outputs))
        self.bias = np.zeros(outputs) if bias else None

    def parameters(self):
        return [self.weight] + ([self.bias] if self.bias is not None else [])

    def forward(self, x):
        return x @ self.weight + (self.bias if self.bias is not None else 0)


class Network:
    def __init__(self, hidden=8, seed=0):
        super().__init__()
        rng = np.random.default_rng(seed)
        self.first = Dense(2, hidden, rng)
        self.second = Dense(hidden, 2, rng)
        self.training = True
        self.keep = 0.9

    @property
    def layers(self):
        return (self.first, self.second)

    def parameters(self):
        return [array for layer in self.layers for array in layer.parameters()]

    def forward(self, x):
        self.x = x
        self.h = np.tanh(self.first.forward(x))
        if self.training:
            # The global generator: part of the state that decides the next epoch.
            mask = np.random.random(self.h.shape) < self.keep
            self.h = self.h * mask / self.keep
        return self.second.forward(self.h)

    def gradients(self, error):
        hidden = error @ self.second.weight.T * (1 - self.h**2)
        return [self.x.T @ hidden, hidden.sum(axis=0), self.h.T @ error, error.sum(axis=0)]


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def make_momentum(parameters, momentum=0.9):
    """A closure: the velocities live in its cells."""
    velocities = [np.zeros_like(array) for array in parameters]
    steps = 0

    def step(gradients, rate):
        nonlocal steps
        steps += 1
        for array, velocity, gradient in zip(parameters, velocities, gradients):
            velocity *= momentum
            velocity -= rate * gradient
            array += velocity
        return steps

    return step
