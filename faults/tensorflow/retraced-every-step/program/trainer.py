"""Next-character model with attention, trained with a warm-up schedule."""

import numpy as np
import tensorflow as tf

TEXT = (
    "the quick brown fox jumps over the lazy dog while the lazy dog sleeps in the brown grass "
    "and the quick fox runs over the hills to the grass where the dog sleeps "
) * 6


class CharModel(tf.Module):
    def __init__(self, vocabulary, dim=24, length=16):
        super().__init__()
        self.dim = dim
        self.mask = (1.0 - np.tril(np.ones([length, length], "float32"))) * -1e9

        def weights(*shape):
            return tf.Variable(tf.random.normal(shape, stddev=shape[0] ** -0.5))

        self.embedding = tf.Variable(tf.random.normal([vocabulary, dim]))
        self.position = tf.Variable(tf.random.normal([length, dim], stddev=0.3))
        self.q, self.k, self.v = weights(dim, dim), weights(dim, dim), weights(dim, dim)
        self.hidden, self.out = weights(dim, 2 * dim), weights(2 * dim, vocabulary)

    def __call__(self, tokens):
        h = tf.gather(self.embedding, tokens) + self.position
        scores = tf.matmul(h @ self.q, h @ self.k, transpose_b=True) / self.dim**0.5
        h = h + tf.nn.softmax(scores + self.mask) @ (h @ self.v)
        return tf.nn.relu(h @ self.hidden) @ self.out


class Trainer:
    def __init__(self, model, warmup=40, base=0.5, clip=1.0):
        self.model = model
        self.warmup = warmup
        self.base = base
        self.clip = clip

    def rate(self, step):
        """Rises for `warmup` steps, then falls with the square root of the step."""
        step = tf.cast(step, tf.float32)
        return self.base * tf.minimum(tf.math.rsqrt(step / self.warmup), step / self.warmup)

    @tf.function
    def train_step(self, x, step):
        inputs, targets = x[:, :-1], x[:, 1:]
        with tf.GradientTape() as tape:
            logits = self.model(inputs)
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits)
            )
        variables = self.model.trainable_variables
        gradients, _ = tf.clip_by_global_norm(tape.gradient(loss, variables), self.clip)
        rate = self.rate(step)
        for variable, gradient in zip(variables, gradients):
            variable.assign_sub(rate * gradient)
        return loss, rate

    def run(self, batches, report=20):
        history = []
        for step, batch in enumerate(batches, start=1):
            loss, rate = self.train_step(batch, step)
            history.append((float(loss), float(rate)))
            if step % report == 0:
                print(f"step {step:4d}  loss {history[-1][0]:.3f}  rate {history[-1][1]:.3f}")
        return history


def make_batches(steps, length=16, batch=24, text=TEXT):
    symbols = sorted(set(text))
    codes = np.array([symbols.index(c) for c in text], "int32")
    for _ in range(steps):
        starts = np.random.randint(0, len(codes) - length - 1, batch)
        yield tf.constant(np.stack([codes[s : s + length + 1] for s in starts]))


def main():
    model = CharModel(len(set(TEXT)))
    history = Trainer(model).run(make_batches(60))
    print("last loss", round(np.mean([loss for loss, _ in history[-10:]]), 3))


if __name__ == "__main__":
    main()
