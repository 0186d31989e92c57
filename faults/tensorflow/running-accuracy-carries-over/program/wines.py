"""Tell the grower of a wine from its chemical analysis."""
import argparse

import numpy as np
import tensorflow.compat.v1 as tf
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

tf.disable_eager_execution()


def load_data():
    wine = load_wine()
    x_train, x_test, y_train, y_test = train_test_split(
        wine.data, wine.target, test_size=0.4, random_state=5, stratify=wine.target)
    scaler = StandardScaler().fit(x_train)
    return (scaler.transform(x_train), y_train), (scaler.transform(x_test), y_test)


def build(features=13, classes=3, learning_rate=0.1):
    net = {}
    net["x"] = tf.placeholder(tf.float32, [None, features], name="x")
    net["y"] = tf.placeholder(tf.int64, [None], name="y")
    w = tf.get_variable("w", [features, classes], initializer=tf.random_normal_initializer(stddev=1.5))
    b = tf.get_variable("b", [classes], initializer=tf.zeros_initializer())
    logits = tf.matmul(net["x"], w) + b
    net["predicted"] = tf.argmax(logits, axis=1)
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=net["y"], logits=logits)
    net["train"] = tf.train.GradientDescentOptimizer(learning_rate).minimize(tf.reduce_mean(loss))
    with tf.variable_scope("evaluation"):
        net["accuracy"], net["update"] = tf.metrics.accuracy(net["y"], net["predicted"])
    return net


def batches(x, y, size):
    for start in range(0, len(y), size):
        yield x[start:start + size], y[start:start + size]


def evaluate(sess, net, x, y, batch_size=16):
    for bx, by in batches(x, y, batch_size):
        sess.run(net["update"], {net["x"]: bx, net["y"]: by})
    return float(sess.run(net["accuracy"]))


def train(sess, net, training, testing, epochs):
    x, y = training
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    curve = []
    for epoch in range(1, epochs + 1):
        order = np.random.permutation(len(y))
        for bx, by in batches(x[order], y[order], 16):
            sess.run(net["train"], {net["x"]: bx, net["y"]: by})
        curve.append(evaluate(sess, net, *testing))
        print("epoch {:2d}  test accuracy {:.3f}".format(epoch, curve[-1]))
    return curve


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=25)
    args = parser.parse_args()
    training, testing = load_data()
    net = build()
    with tf.Session() as sess:
        curve = train(sess, net, training, testing, args.epochs)
    print("final accuracy", round(curve[-1], 3))


if __name__ == "__main__":
    main()
