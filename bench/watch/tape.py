"""A classifier of synthetic data in TensorFlow: a loop of its own over a compiled step. tape.py [EPOCHS]."""

import hashlib
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

EPOCHS = int(sys.argv[1]) if len(sys.argv) > 1 else 20


class Network(keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = [layers.Dense(128), layers.Dense(128)]
        self.drop = layers.Dropout(0.1)
        self.head = layers.Dense(10)

    def call(self, x, training=False):
        for layer in self.inner:
            x = self.drop(tf.nn.relu(layer(x)), training=training)
        return self.head(x)


def main():
    keras.utils.set_random_seed(1)
    centres = np.random.randn(10, 32)
    y = np.random.randint(0, 10, 20000)
    x = (centres[y] + np.random.randn(20000, 32)).astype(np.float32)
    model, optimizer = Network(), keras.optimizers.Adam(1e-3)
    criterion = keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def step(rows, labels):
        with tf.GradientTape() as tape:
            loss = criterion(labels, model(rows, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))  # noqa: B905
        return loss

    data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x), seed=1).batch(50)
    for epoch in range(EPOCHS):
        losses = [step(rows, labels) for rows, labels in data]
        print(f"epoch {epoch + 1}: loss {float(tf.reduce_mean(losses)):.4f}")
    print(hashlib.sha256(b"".join(weights.tobytes() for weights in model.get_weights())).hexdigest())


main()
