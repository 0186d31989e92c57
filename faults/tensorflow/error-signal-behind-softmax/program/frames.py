"""Label the frames of a signal by training on soft alignments.

An aligner tells with which probability each frame belongs to each unit. The loss
comes with its own error signal, the difference of the two distributions, as the
aligner may be a program that cannot be differentiated.
"""

import numpy as np
import tensorflow as tf

UNITS = 5
FEATURES = 8


def make_sequences(count, length=20):
    """Features [count, length, FEATURES] and the units that they were made from."""
    centres = np.random.RandomState(7).randn(UNITS, FEATURES) * 0.9
    units = np.repeat(np.random.randint(0, UNITS, (count, length // 4)), 4, axis=1)
    noise = np.random.randn(count, length, FEATURES)
    return (centres[units] + noise).astype("float32"), units


def align(units, sure=0.9):
    """What the aligner says: the right unit for the most part, some doubt for the others."""
    doubt = (1 - sure) / (UNITS - 1)
    soft = np.full([*units.shape, UNITS], doubt, "float32")
    np.put_along_axis(soft, units[..., None], sure, axis=-1)
    return tf.constant(soft)


@tf.custom_gradient
def with_error_signal(x, loss, signal):
    """The value `loss`; what is passed back to `x` is `signal`."""

    def backward(upstream):
        return upstream * signal, None, None

    return tf.identity(loss), backward


class FrameModel(tf.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.w1 = tf.Variable(tf.random.normal([FEATURES, hidden], stddev=0.3))
        self.b1 = tf.Variable(tf.zeros([hidden]))
        self.w2 = tf.Variable(tf.random.normal([hidden, UNITS], stddev=0.2))
        self.b2 = tf.Variable(tf.zeros([UNITS]))

    def logits(self, features):
        h = tf.tanh(tf.einsum("btf,fh->bth", features, self.w1) + self.b1)
        return tf.einsum("bth,hu->btu", h, self.w2) + self.b2


def alignment_loss(model, features, alignment):
    """Cross entropy of the model's posteriors and the alignment, summed over the frames."""
    logits = model.logits(features)
    posteriors = tf.nn.softmax(logits)
    loss = -tf.reduce_sum(alignment * tf.math.log(posteriors + 1e-20))
    error = posteriors - alignment
    return with_error_signal(posteriors, loss, error)


def train(model, features, alignment, epochs=6, batch=8, rate=0.004):
    for epoch in range(epochs):
        total = 0.0
        for start in range(0, len(features), batch):
            part = slice(start, start + batch)
            with tf.GradientTape() as tape:
                loss = alignment_loss(model, features[part], alignment[part])
            variables = model.trainable_variables
            for variable, gradient in zip(variables, tape.gradient(loss, variables)):
                variable.assign_sub(rate * gradient)
            total += float(loss)
        print(f"epoch {epoch + 1}: {total / features.shape[0] / features.shape[1]:.4f} per frame")


def frame_error(model, features, units):
    guesses = tf.argmax(model.logits(features), axis=-1).numpy()
    return float(np.mean(guesses != units))


if __name__ == "__main__":
    features, units = make_sequences(96)
    model = FrameModel()
    train(model, features, align(units))
    print("frame error rate", frame_error(model, *make_sequences(64)))
