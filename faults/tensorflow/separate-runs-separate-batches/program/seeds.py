"""Which variety is a flower of? Training and evaluation with input pipelines."""

from collections import Counter

import numpy as np
import tensorflow as tf
from sklearn.datasets import load_iris

v1 = tf.compat.v1
v1.disable_eager_execution()

NAMES = ["setosa", "versicolor", "virginica"]


def samples(test_share=0.5):
    iris = load_iris()
    order = np.random.RandomState(1).permutation(len(iris.target))
    x = ((iris.data - iris.data.mean(axis=0)) / iris.data.std(axis=0)).astype(np.float32)[order]
    y = iris.target.astype(np.int64)[order]
    cut = int(len(y) * (1 - test_share))
    return (x[:cut], y[:cut]), (x[cut:], y[cut:])


def pipeline(x, y, batch_size, shuffle):
    dataset = tf.data.Dataset.from_tensor_slices((x, y))
    if shuffle:
        dataset = dataset.shuffle(len(y)).repeat()
    return v1.data.make_initializable_iterator(dataset.batch(batch_size))


class Classifier:
    def __init__(self, training, testing, batch_size=15):
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.w = v1.get_variable("w", [4, 3], initializer=v1.zeros_initializer())
            self.b = v1.get_variable("b", [3], initializer=v1.zeros_initializer())

            self.train_batches = pipeline(*training, batch_size, shuffle=True)
            x, y = self.train_batches.get_next()
            self.loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=self.logits(x)))
            self.step = v1.train.GradientDescentOptimizer(0.5).minimize(self.loss)

            self.test_batches = pipeline(*testing, batch_size, shuffle=False)
            x, self.test_label = self.test_batches.get_next()
            self.test_guess = tf.argmax(self.logits(x), axis=1)

            self.session = v1.Session(graph=self.graph)
            self.session.run([v1.global_variables_initializer(), self.train_batches.initializer])

    def logits(self, x):
        return tf.matmul(x, self.w) + self.b

    def train(self, steps=250):
        for _ in range(steps):
            loss, _ = self.session.run([self.loss, self.step])
        return float(loss)

    def confusion(self):
        """How often flowers of one variety (first) are taken for another (second)."""
        table = Counter()
        self.session.run(self.test_batches.initializer)
        while True:
            try:
                labels = self.session.run(self.test_label)
                guesses = self.session.run(self.test_guess)
            except tf.errors.OutOfRangeError:
                return table
            table.update((int(label), int(guess)) for label, guess in zip(labels, guesses))


def accuracy(table):
    return sum(count for (label, guess), count in table.items() if label == guess) / sum(table.values())


def main():
    training, testing = samples()
    classifier = Classifier(training, testing)
    print(f"training loss {classifier.train():.3f}")
    table = classifier.confusion()
    for label, name in enumerate(NAMES):
        print(f"{name:>12}", *(f"{table[label, guess]:4d}" for guess in range(3)))
    print(f"accuracy {accuracy(table):.3f}")


if __name__ == "__main__":
    main()
