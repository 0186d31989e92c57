"""Counts of calls by time of day and weekday, with a log-linear Poisson model."""

import contextlib

import numpy as np
import tensorflow.compat.v1 as tf1

from compiled import compiled


class PoissonRegression:
    def __init__(self, x, y, prior=1.0):
        self.graph = tf1.Graph()
        self.compiled_methods = {}
        self.prior = prior
        self.free_state = np.zeros(x.shape[1] + 1)
        with self.graph.as_default():
            self.x = tf1.Variable(np.asarray(x, np.float64), trainable=False, name="x")
            self.y = tf1.Variable(np.asarray(y, np.float64), trainable=False, name="y")

    @contextlib.contextmanager
    def unpacked(self, free):
        self.bias, self.weights = free[0], free[1:]
        yield
        del self.bias, self.weights

    def build_rate(self, x):
        return tf1.exp(self.bias + tf1.linalg.matvec(x, self.weights))

    def build_objective(self):
        rate = self.build_rate(self.x)
        terms = self.y * tf1.log(rate) - rate - tf1.lgamma(self.y + 1.0)
        return tf1.reduce_sum(terms) - tf1.reduce_sum(self.weights**2) / (2 * self.prior**2)

    @compiled()
    def compute_log_likelihood(self):
        return self.build_objective()

    @compiled([None, None])
    def predict(self, x):
        return self.build_rate(x)

    def optimize(self, steps=200, rate=0.5):
        """Gradient ascent on the free state."""
        with self.graph.as_default():
            free = tf1.placeholder(tf1.float64, [None])
            with self.unpacked(free):
                objective = self.build_objective()
                (gradient,) = tf1.gradients(objective, free)
            initializer = tf1.global_variables_initializer()
        with tf1.Session(graph=self.graph) as session:
            session.run(initializer)
            for _ in range(steps):
                value, slope = session.run([objective, gradient], {free: self.free_state})
                self.free_state = self.free_state + rate * slope / self.count()
        return value

    def count(self):
        return int(self.x.shape[0])


def make_calls(days=60):
    hour = np.random.uniform(-1, 1, days)
    weekend = np.random.rand(days) < 2 / 7
    x = np.stack([hour, hour**2, weekend], axis=1)
    return x, np.random.poisson(np.exp(1.2 + x @ [0.6, -0.9, -0.7]))


def main():
    x, y = make_calls()
    model = PoissonRegression(x, y)
    print("log likelihood at the start", model.compute_log_likelihood())
    model.optimize()
    print("log likelihood", model.compute_log_likelihood())
    print("expected calls at noon", model.predict(np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]])))


if __name__ == "__main__":
    main()
