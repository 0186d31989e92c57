"""Encoder and decoder blocks of a transformer, and what they embed."""

import tensorflow as tf
from tensorflow.keras import layers


def padding_mask(tokens):
    """Which tokens may be attended to: (batch, 1, length), zero is padding."""
    return tf.not_equal(tokens, 0)[:, tf.newaxis, :]


class Embedded(layers.Layer):
    def __init__(self, vocabulary, longest, width):
        super().__init__()
        self.token = layers.Embedding(vocabulary, width)
        self.place = layers.Embedding(longest, width)

    def call(self, tokens):
        return self.token(tokens) + self.place(tf.range(tf.shape(tokens)[1]))


class FeedForward(layers.Layer):
    def __init__(self, width, hidden):
        super().__init__()
        self.first = layers.Dense(hidden, activation="relu")
        self.second = layers.Dense(width)
        self.norm = layers.LayerNormalization()

    def call(self, x):
        return self.norm(x + self.second(self.first(x)))


class EncoderBlock(layers.Layer):
    def __init__(self, width, heads, hidden):
        super().__init__()
        self.attention = layers.MultiHeadAttention(heads, width // heads)
        self.norm = layers.LayerNormalization()
        self.forward = FeedForward(width, hidden)

    def call(self, x, mask):
        x = self.norm(x + self.attention(x, x, attention_mask=mask))
        return self.forward(x)


class DecoderBlock(layers.Layer):
    def __init__(self, width, heads, hidden):
        super().__init__()
        self.own_attention = layers.MultiHeadAttention(heads, width // heads)
        self.own_norm = layers.LayerNormalization()
        self.cross_attention = layers.MultiHeadAttention(heads, width // heads)
        self.cross_norm = layers.LayerNormalization()
        self.forward = FeedForward(width, hidden)

    def call(self, x, encoded, mask):
        x = self.own_norm(x + self.own_attention(x, x, attention_mask=mask, use_causal_mask=True))
        x = self.cross_norm(x + self.cross_attention(x, encoded, attention_mask=mask))
        return self.forward(x)
