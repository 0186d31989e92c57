"""Cross validation of discriminators.

A GAN and a Wasserstein GAN learn the same two-dimensional data. From time to time each
discriminator also judges what the other's generator makes.
"""

import sys

import numpy as np
import tensorflow as tf

from curves import Curves

Z_DIM = 4


def real_points(count):
    angle = np.random.uniform(0, 2 * np.pi, count)
    circle = np.stack([np.cos(angle), 0.5 * np.sin(angle)], axis=1)
    return (circle + 0.05 * np.random.randn(count, 2)).astype("float32")


def dense_net(sizes):
    layers = []
    for inputs, outputs in zip(sizes, sizes[1:]):
        kernel = tf.Variable(tf.random.normal([inputs, outputs], stddev=inputs**-0.5))
        layers += [kernel, tf.Variable(tf.zeros([outputs]))]
    return layers


def apply_net(layers, x):
    for i in range(0, len(layers) - 2, 2):
        x = tf.nn.leaky_relu(x @ layers[i] + layers[i + 1])
    return x @ layers[-2] + layers[-1]


class GAN:
    critic_iterations = 1
    learning_rate = 0.05

    def __init__(self, hidden=24):
        self.g = dense_net([Z_DIM, hidden, 2])
        self.d = dense_net([2, hidden, 1])
        self.step_d = tf.function(self._step_d)
        self.step_g = tf.function(self._step_g)

    def generate(self, z):
        return apply_net(self.g, z)

    def judge(self, x):
        return apply_net(self.d, x)

    def dis_loss(self, on_real, on_fake):
        ce = tf.nn.sigmoid_cross_entropy_with_logits
        return tf.reduce_mean(ce(tf.ones_like(on_real), on_real)) + tf.reduce_mean(
            ce(tf.zeros_like(on_fake), on_fake)
        )

    def gen_loss(self, on_fake):
        return tf.reduce_mean(
            tf.nn.sigmoid_cross_entropy_with_logits(tf.ones_like(on_fake), on_fake)
        )

    def constrain(self):
        pass

    def _step_d(self, x, z):
        with tf.GradientTape() as tape:
            loss = self.dis_loss(self.judge(x), self.judge(self.generate(z)))
        for v, g in zip(self.d, tape.gradient(loss, self.d)):
            v.assign_sub(self.learning_rate * g)
        self.constrain()

    def _step_g(self, z):
        with tf.GradientTape() as tape:
            loss = self.gen_loss(self.judge(self.generate(z)))
        for v, g in zip(self.g, tape.gradient(loss, self.g)):
            v.assign_sub(self.learning_rate * g)

    def train_step(self, batch=64):
        for _ in range(self.critic_iterations):
            self.step_d(real_points(batch), tf.random.normal([batch, Z_DIM]))
        self.step_g(tf.random.normal([batch, Z_DIM]))


class WassersteinGAN(GAN):
    critic_iterations = 3

    def dis_loss(self, on_real, on_fake):
        return tf.reduce_mean(on_fake) - tf.reduce_mean(on_real)

    def gen_loss(self, on_fake):
        return -tf.reduce_mean(on_fake)

    def constrain(self, limit=0.3):
        for v in self.d:
            v.assign(tf.clip_by_value(v, -limit, limit))


def cross_losses(judge, maker, x, z):
    return judge.dis_loss(judge.judge(x), judge.judge(maker.generate(z)))


def run(gan, wgan, steps, every=10, count=500):
    """The losses of all four pairs of a discriminator and a generator, every so many steps."""
    curves = Curves()
    x, z = real_points(count), tf.random.normal([count, Z_DIM])
    for step in range(1, steps + 1):
        gan.train_step()
        wgan.train_step()
        if step % every:
            continue
        curves.scalar("gan_discriminator_gan_generator", step, cross_losses(gan, gan, x, z))
        curves.scalar("wgan_discriminator_wgan_generator", step, cross_losses(wgan, wgan, x, z))
        gan_dis_wgan_gen = cross_losses(gan, wgan, x, z)
        curves.scalar("gan_discriminator_wgan_generator", step, gan_dis_wgan_gen)
        wgan_dis_gan_gen = cross_losses(wgan, gan, x, z)
        curves.scalar("gan_discriminator_wgan_generator", step, wgan_dis_gan_gen)
    return curves


def main(path=None):
    curves = run(GAN(), WassersteinGAN(), steps=60)
    for name in curves.names():
        print(f"{name:36s} {curves.last(name):+.4f}")
    if path:
        curves.write(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
