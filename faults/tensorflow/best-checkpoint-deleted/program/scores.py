# Early stopping by hand: keep a checkpoint of every epoch and go back to the best one.
import os
import shutil
import sys

import numpy as np
import tensorflow.compat.v1 as tf
from sklearn.datasets import load_breast_cancer

tf.disable_v2_behavior()

FOLDER = "checkpoints"


def load_data(n_train=60, n_valid=150):
    cells = load_breast_cancer()
    order = np.random.RandomState(11).permutation(len(cells.target))
    data = cells.data[order]
    data = ((data - data.mean(axis=0)) / data.std(axis=0)).astype(np.float32)
    target = cells.target[order].astype(np.float32)[:, None]
    flipped = np.random.RandomState(4).choice(n_train, n_train // 6, replace=False)
    target[flipped] = 1 - target[flipped]  # labels in the small study are known to be noisy
    end = n_train + n_valid
    return (data[:n_train], target[:n_train]), (data[n_train:end], target[n_train:end])


def layer(inputs, units, name):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [inputs.shape[1], units], initializer=tf.glorot_uniform_initializer())
        b = tf.get_variable("b", [units], initializer=tf.zeros_initializer())
    return tf.matmul(inputs, w) + b


def make_graph(features):
    x = tf.placeholder(tf.float32, [None, features])
    y = tf.placeholder(tf.float32, [None, 1])
    hidden = tf.nn.relu(layer(x, 64, "hidden"))
    logits = layer(hidden, 1, "out")
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
    train_op = tf.train.AdamOptimizer(0.01).minimize(loss)
    return x, y, loss, train_op


def fit(training, validation, epochs=40):
    """Train, go back to the best epoch and return its number and the losses on the validation set."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    with tf.Graph().as_default(), tf.Session() as sess:
        x, y, loss, train_op = make_graph(training[0].shape[1])
        saver = tf.train.Saver()
        sess.run(tf.global_variables_initializer())
        losses, paths = [], []
        for epoch in range(epochs):
            for rows in np.array_split(np.random.permutation(len(training[1])), 6):
                sess.run(train_op, {x: training[0][rows], y: training[1][rows]})
            losses.append(float(sess.run(loss, {x: validation[0], y: validation[1]})))
            paths.append(saver.save(sess, os.path.join(FOLDER, "study"), global_step=epoch))
        best = int(np.argmin(losses))
        saver.restore(sess, paths[best])
        restored = float(sess.run(loss, {x: validation[0], y: validation[1]}))
    return best, losses, restored


if __name__ == "__main__":
    best, losses, restored = fit(*load_data(), epochs=int(sys.argv[1]) if len(sys.argv) > 1 else 40)
    print("lowest loss in epoch %d: %.3f" % (best, losses[best]))
    print("last loss %.3f, restored model %.3f" % (losses[-1], restored))
