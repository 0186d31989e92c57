"""Digits that may stand anywhere on a card."""

import argparse

import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits

from augment import CentrePaste, Contrast, RandomPaste, chain

CARD = (10, 10)


def load(first, last):
    digits = load_digits()
    images = np.minimum(digits.images[first:last] * 16, 255).astype("uint8")[..., None]
    return images, digits.target[first:last].astype("int64")


def pipeline(images, labels, augment, batch, shuffle=False):
    def prepare(image, label):
        image = tf.numpy_function(augment, [image], Tout=probe.dtype)
        image = tf.ensure_shape(image, probe.shape)
        return tf.image.convert_image_dtype(image, tf.float32), label

    probe = augment(images[0])
    dataset = tf.data.Dataset.from_tensor_slices((images, labels))
    if shuffle:
        dataset = dataset.shuffle(len(images))
    return dataset.map(prepare).batch(batch)


def pipelines(train_size=500, test_size=150, batch=32):
    training = pipeline(
        *load(0, train_size), chain([Contrast(), RandomPaste(CARD)]), batch, shuffle=True
    )
    testing = pipeline(*load(train_size, train_size + test_size), CentrePaste(CARD), batch)
    return training, testing


class Network(tf.Module):
    def __init__(self, filters=12):
        super().__init__()
        self.kernel = tf.Variable(tf.random.normal([3, 3, 1, filters], stddev=0.3))
        self.bias = tf.Variable(tf.zeros([filters]))
        size = filters * CARD[0] * CARD[1] // 4
        self.dense = tf.Variable(tf.random.normal([size, 10], stddev=0.05))
        self.out = tf.Variable(tf.zeros([10]))

    @tf.function
    def __call__(self, x):
        h = tf.nn.relu(tf.nn.conv2d(x, self.kernel, 1, "SAME") + self.bias)
        h = tf.nn.max_pool2d(h, 2, 2, "VALID")
        return tf.reshape(h, [tf.shape(h)[0], -1]) @ self.dense + self.out


def train(network, batches, epochs, rate=0.1, momentum=0.9):
    variables = network.trainable_variables
    moved = [tf.Variable(tf.zeros_like(v)) for v in variables]

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=network(x))
            )
        for v, m, g in zip(variables, moved, tape.gradient(loss, variables)):
            m.assign(momentum * m - rate * g)
            v.assign_add(m)
        return loss

    for epoch in range(epochs):
        losses = [float(step(x, y)) for x, y in batches]
        print(f"epoch {epoch + 1:2d}  loss {np.mean(losses):.3f}")


def accuracy(network, batches):
    return float(np.mean(np.concatenate([np.argmax(network(x), 1) == y for x, y in batches])))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=8)
    options = parser.parse_args()
    training, testing = pipelines()
    network = Network()
    train(network, training, options.epochs)
    print(f"accuracy on centred digits {accuracy(network, testing):.3f}")
