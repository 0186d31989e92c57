"""MLP-Mixer blocks (Tolstikhin et al. 2021) for small images."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


@keras.utils.register_keras_serializable(package="mixer")
class Patches(layers.Layer):
    """Cut square images into a sequence of flat patches."""

    def __init__(self, size, **kwargs):
        super().__init__(**kwargs)
        self.size = size

    def call(self, images):
        cut = tf.nn.space_to_depth(images, self.size)
        _, rows, columns, depth = cut.shape
        return tf.reshape(cut, (-1, rows * columns, depth))

    def get_config(self):
        return {**super().get_config(), "size": self.size}


@keras.utils.register_keras_serializable(package="mixer")
class MlpBlock(layers.Layer):
    def __init__(self, hidden_dim, activation="gelu", rate=0.0, **kwargs):
        super().__init__(**kwargs)
        self.hidden_dim = hidden_dim
        self.activation = keras.activations.get(activation)
        self.rate = rate
        self.widen = layers.Dense(hidden_dim)
        self.dropout = layers.Dropout(rate)

    def build(self, shape):
        self.narrow = layers.Dense(shape[-1])
        self.widen.build(shape)
        self.narrow.build((*shape[:-1], self.hidden_dim))
        super().build(shape)

    def call(self, x, training=None):
        x = self.activation(self.widen(x))
        return self.narrow(self.dropout(x, training=training))

    def get_config(self):
        config = super().get_config()
        config.update({"hidden_dim": self.hidden_dim, "rate": self.rate})
        return config


def mix(x, hidden, activation, rate):
    """One mixer block: between the patches, then between the channels."""
    y = layers.Permute((2, 1))(layers.LayerNormalization()(x))
    y = MlpBlock(hidden, activation=activation, rate=rate)(y)
    x = layers.add([x, layers.Permute((2, 1))(y)])
    y = MlpBlock(hidden, activation=activation, rate=rate)(layers.LayerNormalization()(x))
    return layers.add([x, y])


def make_mixer(size=8, patch=2, width=16, blocks=2, hidden=24, activation="tanh", rate=0.1, classes=10):
    images = keras.Input((size, size, 1))
    x = layers.Dense(width)(Patches(patch)(images))
    for _ in range(blocks):
        x = mix(x, hidden, activation, rate)
    x = layers.GlobalAveragePooling1D()(layers.LayerNormalization()(x))
    return keras.Model(images, layers.Dense(classes, activation="softmax")(x))
