"""Recognise my own handwriting: train on the data set, then read PNG files from a scanner.

    python3 mydigits.py scan1.png scan2.png
"""
import sys

import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits

SIDE = 8


def load_training_data():
    digits = load_digits()
    x = digits.images.reshape(-1, SIDE * SIDE) / 16.0
    return x.astype("float32"), np.eye(10, dtype="float32")[digits.target]


def read_scan(filename):
    """A file with one digit as a row of pixels for the classifier."""
    image = tf.io.decode_png(tf.io.read_file(filename), channels=1)
    image = tf.image.convert_image_dtype(image, tf.float32)
    image = tf.image.resize(image, [SIDE, SIDE], method="area")
    return tf.reshape(image, [1, SIDE * SIDE])


class SoftmaxRegression:
    def __init__(self):
        self.W = tf.Variable(tf.zeros([SIDE * SIDE, 10]))
        self.b = tf.Variable(tf.zeros([10]))

    def logits(self, x):
        return tf.matmul(x, self.W) + self.b

    @tf.function
    def train_step(self, x, y_, rate):
        with tf.GradientTape() as tape:
            cross_entropy = tf.reduce_mean(
                tf.nn.softmax_cross_entropy_with_logits(labels=y_, logits=self.logits(x))
            )
        dW, db = tape.gradient(cross_entropy, [self.W, self.b])
        self.W.assign_sub(rate * dW)
        self.b.assign_sub(rate * db)
        return cross_entropy

    def fit(self, x, y_, steps=400, batch=100, rate=0.5):
        for i in range(steps):
            rows = np.random.randint(0, len(x), batch)
            loss = self.train_step(x[rows], y_[rows], tf.constant(rate))
            if i % 100 == 0:
                print("step", i, "cross entropy", float(loss))

    def predict(self, x):
        return tf.argmax(self.logits(x), 1).numpy()


def train(last=None):
    x, y_ = load_training_data()
    model = SoftmaxRegression()
    model.fit(x[:last], y_[:last])
    return model


def recognise(model, filenames):
    return [int(model.predict(read_scan(name))[0]) for name in filenames]


if __name__ == "__main__":
    model = train()
    x, y_ = load_training_data()
    print("accuracy", np.mean(model.predict(x) == y_.argmax(1)))
    for name, digit in zip(sys.argv[1:], recognise(model, sys.argv[1:])):
        print(name, "is a", digit)
