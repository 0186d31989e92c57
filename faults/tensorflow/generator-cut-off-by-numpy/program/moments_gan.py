"""A GAN that learns the shape of a one-dimensional distribution from its moments.

The critic does not see single numbers but the first four moments of a sample.
"""

import numpy as np
import tensorflow as tf

SAMPLE = 64
MEAN, STDDEV = 4.0, 1.25


def real_sample(count=SAMPLE):
    return np.random.normal(MEAN, STDDEV, (1, count)).astype(np.float32)


def noise(count=SAMPLE):
    return np.random.uniform(size=(count, 1)).astype(np.float32)


def get_moments(d):
    """Mean, standard deviation, skewness and kurtosis of each row."""
    mean = tf.reduce_mean(d, axis=1, keepdims=True)
    diffs = d - mean
    std = tf.sqrt(tf.reduce_mean(diffs**2, axis=1, keepdims=True) + 1e-6)
    z = diffs / std
    skews = tf.reduce_mean(z**3, axis=1, keepdims=True)
    kurtoses = tf.reduce_mean(z**4, axis=1, keepdims=True) - 3.0
    return tf.concat([mean, std, skews, kurtoses], axis=1)


def mlp(inputs, hidden, outputs, activation):
    return tf.keras.Sequential(
        [
            tf.keras.Input([inputs]),
            tf.keras.layers.Dense(hidden, activation=activation),
            tf.keras.layers.Dense(hidden, activation=activation),
            tf.keras.layers.Dense(outputs),
        ]
    )


class MomentsGAN:
    def __init__(self, hidden=8, rate=0.02):
        self.generator = mlp(1, hidden, 1, "tanh")
        self.critic = mlp(4, hidden, 1, "sigmoid")
        self.g_optimizer = tf.keras.optimizers.SGD(rate, momentum=0.5)
        self.c_optimizer = tf.keras.optimizers.SGD(rate, momentum=0.5)

    def decide(self, sample):
        return self.critic(get_moments(sample))

    def critic_step(self):
        fake = tf.transpose(self.generator(noise()))
        with tf.GradientTape() as tape:
            on_real, on_fake = self.decide(real_sample()), self.decide(fake)
            loss = tf.reduce_mean(
                tf.nn.sigmoid_cross_entropy_with_logits(tf.ones_like(on_real), on_real)
                + tf.nn.sigmoid_cross_entropy_with_logits(tf.zeros_like(on_fake), on_fake)
            )
        variables = self.critic.trainable_variables
        self.c_optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return float(loss)

    def generator_step(self):
        gen_input = noise()
        with tf.GradientTape() as tape:
            fake = self.generator(gen_input)
            on_fake = self.decide(fake.numpy().T)
            loss = tf.reduce_mean(
                tf.nn.sigmoid_cross_entropy_with_logits(tf.ones_like(on_fake), on_fake)
            )
        variables = self.generator.trainable_variables
        self.g_optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return float(loss)


def train(gan, rounds=40, critic_steps=2, generator_steps=1):
    for round_ in range(rounds):
        c_loss = [gan.critic_step() for _ in range(critic_steps)][-1]
        g_loss = [gan.generator_step() for _ in range(generator_steps)][-1]
        if round_ % 10 == 0:
            made = gan.generator(noise(256)).numpy()
            print(
                f"{round_:4d}  critic {c_loss:.3f}  generator {g_loss:.3f}  "
                f"made: mean {made.mean():.2f}, deviation {made.std():.2f}"
            )


if __name__ == "__main__":
    train(MomentsGAN())
