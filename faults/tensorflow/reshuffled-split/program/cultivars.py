"""Tell the cultivar of a wine from its chemical analysis."""
import argparse

import tensorflow as tf
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

VALIDATION_SHARE = 0.3


def make_datasets(batch_size=16):
    """Training and validation batches of (analysis, cultivar)."""
    wine = load_wine()
    features = StandardScaler().fit_transform(wine.data).astype("float32")
    labels = wine.target.astype("int32")

    n = len(labels)
    n_validation = int(n * VALIDATION_SHARE)
    everything = tf.data.Dataset.from_tensor_slices((features, labels)).shuffle(n)
    validation = everything.take(n_validation).batch(batch_size)
    training = everything.skip(n_validation).batch(batch_size)
    return training, validation


class Classifier(tf.Module):
    def __init__(self, n_features, n_classes, hidden=48):
        super().__init__()
        init = tf.random.normal
        self.w1 = tf.Variable(init([n_features, hidden], stddev=n_features**-0.5))
        self.b1 = tf.Variable(tf.zeros([hidden]))
        self.w2 = tf.Variable(init([hidden, n_classes], stddev=hidden**-0.5))
        self.b2 = tf.Variable(tf.zeros([n_classes]))

    def __call__(self, x):
        return tf.nn.relu(x @ self.w1 + self.b1) @ self.w2 + self.b2


def loss_of(model, x, y):
    return tf.reduce_mean(
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=model(x))
    )


def accuracy_of(model, dataset):
    right = total = 0
    for x, y in dataset:
        guesses = tf.argmax(model(x), axis=1, output_type=tf.int32)
        right += int(tf.reduce_sum(tf.cast(guesses == y, tf.int32)))
        total += len(y)
    return right / total


def train(epochs=15, learning_rate=0.1):
    training, validation = make_datasets()
    model = Classifier(13, 3)
    for epoch in range(1, epochs + 1):
        for x, y in training:
            with tf.GradientTape() as tape:
                loss = loss_of(model, x, y)
            gradients = tape.gradient(loss, model.trainable_variables)
            for variable, gradient in zip(model.trainable_variables, gradients):
                variable.assign_sub(learning_rate * gradient)
        if epoch % 5 == 0:
            print(
                f"epoch {epoch:3d}  training {accuracy_of(model, training):.3f}"
                f"  validation {accuracy_of(model, validation):.3f}"
            )
    return model


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=15)
    train(parser.parse_args().epochs)
