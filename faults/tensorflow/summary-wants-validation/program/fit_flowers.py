import os
import shutil

import numpy as np
import tensorflow as tf
from sklearn.datasets import load_iris

tf1 = tf.compat.v1
tf1.disable_eager_execution()

LOG_DIR = "flower_logs"


class FlowerNet(object):
    """Three kinds of iris, two layers, and curves for TensorBoard."""

    def __init__(self, hidden=12, lr=0.05):
        self.x = tf1.placeholder(tf.float32, [None, 4], name="x")
        self.labels = tf1.placeholder(tf.int32, [None], name="labels")
        self.val_loss = tf1.placeholder(tf.float32, [], name="val_loss")
        h = tf.nn.tanh(self._dense(self.x, 4, hidden, "h"))
        logits = self._dense(h, hidden, 3, "logits")
        self.loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=self.labels, logits=logits)
        )
        self.train_op = tf1.train.MomentumOptimizer(lr, 0.9).minimize(self.loss)

        self.loss_summary = tf1.summary.scalar("train_loss", self.loss)
        self.val_summary = tf1.summary.scalar("validation_loss", self.val_loss)
        self.merged = tf1.summary.merge_all()

    @staticmethod
    def _dense(inputs, n_in, n_out, name):
        with tf1.variable_scope(name):
            w = tf1.get_variable("w", [n_in, n_out], initializer=tf1.glorot_uniform_initializer())
            b = tf1.get_variable("b", [n_out], initializer=tf1.zeros_initializer())
            tf1.summary.histogram("weights", w)
        return tf.matmul(inputs, w) + b


def split_data(seed=2):
    iris = load_iris()
    x = (iris.data - iris.data.mean(0)) / iris.data.std(0)
    order = np.random.RandomState(seed).permutation(len(x))
    train, val = order[:100], order[100:]
    return (x[train], iris.target[train]), (x[val], iris.target[val])


def run(epochs=15, batch=20, log_dir=LOG_DIR):
    shutil.rmtree(log_dir, ignore_errors=True)
    (x, labels), (val_x, val_labels) = split_data()
    val_losses = []
    with tf1.Graph().as_default(), tf1.Session() as sess:
        net = FlowerNet()
        writer = tf1.summary.FileWriter(log_dir, sess.graph)
        sess.run(tf1.global_variables_initializer())
        step = 0
        for epoch in range(epochs):
            order = np.random.permutation(len(x))
            for i in range(0, len(x), batch):
                rows = order[i:i + batch]
                feed = {net.x: x[rows], net.labels: labels[rows]}
                _, summary = sess.run([net.train_op, net.merged], feed_dict=feed)
                writer.add_summary(summary, step)
                step += 1
            val_losses.append(float(sess.run(net.loss, {net.x: val_x, net.labels: val_labels})))
            summary = sess.run(net.val_summary, feed_dict={net.val_loss: val_losses[-1]})
            writer.add_summary(summary, step)
        writer.close()
    return step, val_losses


if __name__ == "__main__":
    steps, val_losses = run()
    print("%d steps, validation loss %.3f -> %.3f" % (steps, val_losses[0], val_losses[-1]))
    print("curves are in", os.path.abspath(LOG_DIR))
