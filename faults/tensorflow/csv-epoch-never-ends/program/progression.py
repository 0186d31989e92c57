#!/usr/bin/env python3
"""Predict progression of diabetes from a CSV file of patients.

usage: progression.py [FILE]
"""
import csv
import os
import sys
import tempfile

import numpy as np
import tensorflow as tf
from sklearn.datasets import load_diabetes

COLUMNS = ["age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6"]
LABEL = "progression"


def write_csv(path, rows=None):
    data = load_diabetes()
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS + [LABEL])
        for features, target in list(zip(data.data, data.target))[:rows]:
            writer.writerow(["%.5f" % value for value in features] + [target])
    return path


def pack(features, label):
    columns = [tf.cast(features[name], tf.float32) for name in COLUMNS]
    return tf.stack(columns, axis=-1) * 20, tf.cast(label, tf.float32) / 100


def read(path, batch_size=34):
    dataset = tf.data.experimental.make_csv_dataset(
        path, batch_size=batch_size, label_name=LABEL, shuffle_buffer_size=500
    )
    return dataset.map(pack)


class Linear(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.zeros([len(COLUMNS), 1]))
        self.b = tf.Variable(0.0)

    def __call__(self, x):
        return tf.squeeze(x @ self.w, -1) + self.b


@tf.function
def train_step(model, x, y, rate):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    dw, db = tape.gradient(loss, [model.w, model.b])
    model.w.assign_sub(rate * dw)
    model.b.assign_sub(rate * db)
    return loss


def train(model, dataset, epochs=12, rate=0.05):
    history = []
    for epoch in range(1, epochs + 1):
        losses = []
        for x, y in dataset:
            losses.append(train_step(model, x, y, tf.constant(rate)).numpy())
        history.append(float(np.mean(losses)))
        print("epoch %d: %d batches, mse %.3f" % (epoch, len(losses), history[-1]))
    return history


def main(path=None):
    if path is None:
        path = write_csv(os.path.join(tempfile.gettempdir(), "diabetes.csv"))
    train(Linear(), read(path))


if __name__ == "__main__":
    main(*sys.argv[1:])
