"""Gaussian process regression with the arc-cosine kernel of a one-layer network."""

import math

import numpy as np
import tensorflow as tf

JITTER = 1e-6


def positive(value):
    """A variable whose softplus is `value`."""
    return tf.Variable(math.log(math.expm1(value)), dtype=tf.float64)


class ArcCosine(tf.Module):
    """Order 0: the covariance falls linearly with the angle between two inputs."""

    def __init__(self, dimensions, variance=1.0, weight=1.0, bias=1.0):
        super().__init__()
        self._variance = positive(variance)
        self._weights = tf.Variable(
            np.full(dimensions, math.log(math.expm1(weight))), dtype=tf.float64
        )
        self._bias = positive(bias)

    @property
    def variance(self):
        return tf.nn.softplus(self._variance)

    def weighted_product(self, a, b):
        weights = tf.nn.softplus(self._weights)
        return tf.matmul(weights * a, b, transpose_b=True) + tf.nn.softplus(self._bias)

    def weighted_norm(self, a):
        weights = tf.nn.softplus(self._weights)
        return tf.sqrt(tf.reduce_sum(weights * a**2, axis=1) + tf.nn.softplus(self._bias))

    def __call__(self, a, b):
        norms = self.weighted_norm(a)[:, None] * self.weighted_norm(b)[None, :]
        cosine = tf.clip_by_value(self.weighted_product(a, b) / norms, -1.0, 1.0)
        theta = tf.acos(cosine)
        return self.variance / math.pi * (math.pi - theta)

    def diagonal(self, a):
        return self.variance * tf.ones(len(a), dtype=tf.float64)


class Regression(tf.Module):
    def __init__(self, kernel, x, y, noise=0.1):
        super().__init__()
        self.kernel, self.x, self.y = kernel, tf.constant(x), tf.constant(y[:, None])
        self._noise = positive(noise)

    def cholesky(self):
        noise = tf.nn.softplus(self._noise) + JITTER
        size = len(self.x)
        return tf.linalg.cholesky(self.kernel(self.x, self.x) + noise * tf.eye(size, dtype=tf.float64))

    def negative_log_likelihood(self):
        factor = self.cholesky()
        alpha = tf.linalg.triangular_solve(factor, self.y)
        return (
            0.5 * tf.reduce_sum(alpha**2)
            + tf.reduce_sum(tf.math.log(tf.linalg.diag_part(factor)))
            + 0.5 * len(self.x) * math.log(2 * math.pi)
        )

    def predict(self, new):
        factor = self.cholesky()
        a = tf.linalg.triangular_solve(factor, self.kernel(self.x, new))
        b = tf.linalg.triangular_solve(factor, self.y)
        mean = tf.matmul(a, b, transpose_a=True)[:, 0]
        return mean.numpy(), (self.kernel.diagonal(new) - tf.reduce_sum(a**2, axis=0)).numpy()


def fit(model, steps=40, rate=0.8):
    history = []
    for step in range(steps):
        with tf.GradientTape() as tape:
            objective = model.negative_log_likelihood() / len(model.x)
        history.append(float(objective))
        variables = model.trainable_variables
        for variable, gradient in zip(variables, tape.gradient(objective, variables)):
            variable.assign_sub(rate * gradient)
        if step % 10 == 0:
            print(f"step {step:3d}  negative log likelihood {history[-1]:.4f}")
    return history


def tide(count):
    """Water level by hour of the day and phase of the moon; the phase hardly matters."""
    x = np.random.uniform(-2, 2, (count, 2))
    return x, np.sin(2.5 * x[:, 0]) + 0.05 * np.random.randn(count)


def main():
    x, y = tide(60)
    model = Regression(ArcCosine(2), x, y, noise=0.5)
    fit(model)
    new, level = tide(40)
    mean, _ = model.predict(new)
    print("rmse", np.sqrt(np.mean((mean - level) ** 2)))


if __name__ == "__main__":
    main()
