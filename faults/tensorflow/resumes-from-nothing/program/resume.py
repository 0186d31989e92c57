"""Fit delays in a network; a run that was stopped goes on where it was.

usage: resume.py CKPT_DIR [EPOCHS]
"""
import os
import sys
import tempfile

import numpy as np
import tensorflow as tf


def make_data(count=256):
    """Load, capacity and hops of a path, and the delay that packets have on it."""
    path = np.random.uniform(0.1, 0.9, (count, 3)).astype("float32")
    delay = path[:, 2] / (1.2 - path[:, 0]) + 0.5 * path[:, 1]
    return tf.data.Dataset.from_tensor_slices((path, delay)).batch(32)


class DelayModel(tf.Module):
    def __init__(self, units=16):
        super().__init__()
        self.w1 = tf.Variable(tf.random.normal([3, units], stddev=0.5))
        self.b1 = tf.Variable(tf.zeros([units]))
        self.w2 = tf.Variable(tf.random.normal([units, 1], stddev=0.3))
        self.b2 = tf.Variable(tf.zeros([1]))

    @tf.function
    def __call__(self, path):
        return tf.squeeze(tf.nn.softplus(path @ self.w1 + self.b1) @ self.w2 + self.b2, -1)


class Momentum(tf.Module):
    def __init__(self, variables, rate=0.02, beta=0.9):
        super().__init__()
        self.rate, self.beta = rate, beta
        self.slots = [tf.Variable(tf.zeros_like(v)) for v in variables]

    def apply(self, gradients, variables):
        for m, g, v in zip(self.slots, gradients, variables):
            m.assign(self.beta * m + g)
            v.assign_sub(self.rate * m)


class Run:
    def __init__(self, ckpt_dir):
        self.ckpt_dir = ckpt_dir
        self.model = DelayModel()
        self.optimizer = Momentum(self.model.trainable_variables)
        self.epoch = tf.Variable(0, dtype=tf.int64)
        self.checkpoint = tf.train.Checkpoint(
            model=self.model, optimizer=self.optimizer, epoch=self.epoch
        )

    def load(self):
        latest = tf.train.latest_checkpoint(self.ckpt_dir)
        if latest is not None:
            self.checkpoint.restore(latest)
            print("Restored", os.path.basename(latest))
        else:
            print("Starting training from scratch...")

    def save(self, loss):
        name = "%02d-%.4f" % (self.epoch.numpy(), loss)
        return self.checkpoint.write(os.path.join(self.ckpt_dir, name))

    @tf.function
    def step(self, path, delay):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(path) - delay))
        variables = self.model.trainable_variables
        self.optimizer.apply(tape.gradient(loss, variables), variables)
        return loss

    def train(self, data, until):
        history = []
        while self.epoch < until:
            history.append(float(np.mean([self.step(x, y) for x, y in data])))
            self.epoch.assign_add(1)
            print("epoch", int(self.epoch), "loss %.4f" % history[-1])
            self.save(history[-1])
        return history


def main(ckpt_dir=None, epochs=5):
    run = Run(ckpt_dir or tempfile.mkdtemp(prefix="delays-"))
    run.load()
    run.train(make_data(), int(epochs))


if __name__ == "__main__":
    main(*sys.argv[1:])
