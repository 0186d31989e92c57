"""Sort numerals on forms. The samples come one class after the other, as from a folder per class."""
import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits

FLAGS = dict(batch_size=40, epochs=6, learning_rate=0.3, shuffle_buffer=2000)


def samples_by_class(per_class=100):
    digits = load_digits()
    rows = [np.flatnonzero(digits.target == label) for label in range(10)]
    training = np.concatenate([r[:per_class] for r in rows])
    testing = np.concatenate([r[per_class:] for r in rows])
    scaled = (digits.data / 16).astype(np.float32)
    labels = digits.target.astype(np.int32)
    return (scaled[training], labels[training]), (scaled[testing], labels[testing])


def training_input(samples, flags=FLAGS):
    dataset = tf.data.Dataset.from_tensor_slices(samples)
    dataset = dataset.batch(flags["batch_size"])
    dataset = dataset.shuffle(flags["shuffle_buffer"])
    return dataset.prefetch(1)


def build(n_in, n_hidden=32, n_out=10):
    return [
        tf.Variable(tf.random.truncated_normal([n_in, n_hidden], stddev=0.15), name="w_hidden"),
        tf.Variable(tf.zeros([n_hidden]), name="b_hidden"),
        tf.Variable(tf.random.truncated_normal([n_hidden, n_out], stddev=0.15), name="w_out"),
        tf.Variable(tf.zeros([n_out]), name="b_out"),
    ]


def logits(params, x):
    w_hidden, b_hidden, w_out, b_out = params
    hidden = tf.nn.relu(tf.nn.bias_add(tf.matmul(x, w_hidden), b_hidden))
    return tf.nn.bias_add(tf.matmul(hidden, w_out), b_out)


def accuracy(params, samples):
    x, y = samples
    return np.mean(np.argmax(logits(params, x), axis=1) == y)


def run(flags=FLAGS):
    training, testing = samples_by_class()
    params = build(training[0].shape[1])
    dataset = training_input(training, flags)

    @tf.function
    def train_op(x, y):
        with tf.GradientTape() as tape:
            xent = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits(params, x))
            loss = tf.reduce_mean(xent)
        for p, g in zip(params, tape.gradient(loss, params)):
            p.assign_sub(flags["learning_rate"] * g)
        return loss

    for epoch in range(flags["epochs"]):
        for x, y in dataset:
            loss = train_op(x, y)
        print("epoch %d: last loss %.3f, test accuracy %.3f" % (epoch, loss, accuracy(params, testing)))
    return accuracy(params, testing)


if __name__ == "__main__":
    run()
