# Variational autoencoder for small digits: four numbers for an image of 64 grey values.

import sys

import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from tensorflow import keras
from tensorflow.keras import layers

PIXELS = 64
LATENT = 4


class Sampling(layers.Layer):
    """A point drawn from the Gaussian that belongs to an image."""

    def call(self, inputs):
        mean, log_var = inputs
        noise = tf.random.normal(tf.shape(mean))
        return mean + tf.exp(0.5 * log_var) * noise


def make_encoder():
    image = keras.Input((PIXELS,))
    x = layers.Dense(96, activation="relu")(image)
    mean = layers.Dense(LATENT)(x)
    log_var = layers.Dense(LATENT)(x)
    return keras.Model(image, [mean, log_var, Sampling()([mean, log_var])])


def make_decoder():
    point = keras.Input((LATENT,))
    x = layers.Dense(96, activation="relu")(point)
    return keras.Model(point, layers.Dense(PIXELS, activation="sigmoid")(x))


class VAE(keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.encoder = make_encoder()
        self.decoder = make_decoder()
        self.followed = {name: keras.metrics.Mean(name) for name in ("loss", "reconstruction", "kl")}

    @property
    def metrics(self):
        return list(self.followed.values())

    def call(self, images):
        mean, _, _ = self.encoder(images)
        return self.decoder(mean)

    def losses_of(self, images):
        mean, log_var, point = self.encoder(images)
        reconstruction = tf.reduce_mean(keras.losses.binary_crossentropy(images, self.decoder(point)))
        kl = -0.5 * tf.reduce_sum(1 + log_var - tf.square(mean) - tf.exp(log_var), axis=1)
        return reconstruction, tf.reduce_mean(kl)

    def train_step(self, images):
        with tf.GradientTape() as tape:
            reconstruction, kl = self.losses_of(images)
            loss = reconstruction + kl
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        for metric, value in zip(self.metrics, (loss, reconstruction, kl)):
            metric.update_state(value)
        return {metric.name: metric.result() for metric in self.metrics}


def load_images():
    images = (load_digits().data / 16).astype("float32")
    return train_test_split(images, test_size=0.2)


def fit(images, epochs=30):
    vae = VAE()
    vae.compile(optimizer=keras.optimizers.Adam(2e-3))
    history = vae.fit(images, batch_size=64, epochs=epochs, verbose=0)
    return vae, history.history


def draw(image):
    for row in image.reshape(8, 8):
        print("".join(" .:-=+*#%@"[int(value * 9.99)] for value in row))


def main(epochs):
    training, testing = load_images()
    vae, history = fit(training, epochs)
    for name, values in history.items():
        print(f"{name:15s} {values[0]:8.3f} -> {values[-1]:8.3f}")
    rebuilt = np.asarray(vae(testing))
    print(f"mean squared error on new images {np.mean((rebuilt - testing) ** 2):.4f}")
    draw(testing[0])
    draw(rebuilt[0])


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
