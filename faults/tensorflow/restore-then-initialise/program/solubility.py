import argparse
import os

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


def molecules(count=600, seed=5):
    """Descriptors of made-up molecules and their solubility."""
    random = np.random.RandomState(seed)
    x = random.normal(size=(count, 8))
    y = np.sin(x[:, 0]) + 0.5 * x[:, 1] * x[:, 2] - 0.3 * x[:, 3] + 0.05 * random.normal(size=count)
    return x.astype(np.float32), y.astype(np.float32)[:, None]


class Regressor:
    """A network that is trained in as many sittings as one likes.

    The weights are kept in `model_dir` after each call of fit().
    """

    def __init__(self, model_dir, n_features=8, layer_sizes=(48, 24), learning_rate=0.005, batch_size=50):
        self.model_dir = model_dir
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.x = tf.placeholder(tf.float32, [None, n_features])
            self.y = tf.placeholder(tf.float32, [None, 1])
            layer = self.x
            for number, size in enumerate(layer_sizes):
                layer = tf.nn.relu(self._affine(layer, size, "layer_%d" % number))
            self.output = self._affine(layer, 1, "output")
            self.loss = tf.reduce_mean(tf.squared_difference(self.output, self.y))
            self.saver = tf.train.Saver(tf.trainable_variables())
        self.session = tf.Session(graph=self.graph)
        self.train_op = None

    def _affine(self, inputs, size, scope):
        with tf.variable_scope(scope):
            w = tf.get_variable("w", [int(inputs.shape[1]), size])
            b = tf.get_variable("b", [size], initializer=tf.zeros_initializer())
        return tf.matmul(inputs, w) + b

    def _create_training_ops(self):
        if self.train_op is not None:
            return
        self.train_op = tf.train.AdamOptimizer(self.learning_rate).minimize(self.loss)
        self.session.run(tf.global_variables_initializer())

    def restore(self):
        checkpoint = tf.train.latest_checkpoint(self.model_dir)
        if checkpoint is None:
            raise ValueError("no checkpoint in " + self.model_dir)
        self.saver.restore(self.session, checkpoint)

    def fit(self, x, y, epochs=10, restore=False):
        """Train, from the last checkpoint on if `restore` is set; return the loss after each epoch."""
        losses = []
        with self.graph.as_default():
            if restore:
                self.restore()
            self._create_training_ops()
            for _ in range(epochs):
                order = np.random.permutation(len(x))
                for start in range(0, len(x), self.batch_size):
                    rows = order[start:start + self.batch_size]
                    self.session.run(self.train_op, {self.x: x[rows], self.y: y[rows]})
                losses.append(self.evaluate(x, y))
            self.saver.save(self.session, os.path.join(self.model_dir, "model"))
        return losses

    def evaluate(self, x, y):
        return float(self.session.run(self.loss, {self.x: x, self.y: y}))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model-dir", default="solubility_model")
    parser.add_argument("--epochs", type=int, default=30)
    args = parser.parse_args()
    os.makedirs(args.model_dir, exist_ok=True)
    x, y = molecules()
    goes_on = tf.train.latest_checkpoint(args.model_dir) is not None
    losses = Regressor(args.model_dir).fit(x, y, args.epochs, restore=goes_on)
    print("%s: loss %.4f after the first epoch, %.4f after the last" % (
        "resumed" if goes_on else "new model", losses[0], losses[-1]))


if __name__ == "__main__":
    main()
