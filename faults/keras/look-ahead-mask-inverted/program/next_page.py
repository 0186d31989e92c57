"""A small decoder-only transformer over click paths."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

from sessions import LENGTH, PAGES, draw_sessions


def look_ahead_mask(size):
    """A (size, size) matrix: row i says what position i may not see yet."""
    return 1.0 - tf.linalg.band_part(tf.ones((size, size)), -1, 0)


class Embedded(layers.Layer):
    """Page and position, added up."""

    def __init__(self, width, **kwargs):
        super().__init__(**kwargs)
        self.page = layers.Embedding(len(PAGES), width)
        self.place = layers.Embedding(LENGTH, width)

    def call(self, pages):
        return self.page(pages) + self.place(tf.range(tf.shape(pages)[1]))


class DecoderBlock(layers.Layer):
    def __init__(self, width, heads, **kwargs):
        super().__init__(**kwargs)
        self.attention = layers.MultiHeadAttention(heads, width // heads)
        self.inner = layers.Dense(2 * width, activation="relu")
        self.outer = layers.Dense(width)
        self.norm_1 = layers.LayerNormalization(epsilon=1e-6)
        self.norm_2 = layers.LayerNormalization(epsilon=1e-6)

    def call(self, x):
        mask = look_ahead_mask(tf.shape(x)[1])[tf.newaxis]
        x = self.norm_1(x + self.attention(x, x, attention_mask=mask))
        return self.norm_2(x + self.outer(self.inner(x)))


class NextPage(keras.Model):
    def __init__(self, width=32, heads=2, **kwargs):
        super().__init__(**kwargs)
        self.embedded = Embedded(width)
        self.block = DecoderBlock(width, heads)
        self.scores = layers.Dense(len(PAGES))

    def call(self, pages):
        return self.scores(self.block(self.embedded(pages)))


def train(paths, epochs=8):
    model = NextPage()
    model.compile(
        optimizer=keras.optimizers.Adam(5e-3),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    history = model.fit(paths[:, :-1], paths[:, 1:], batch_size=64, epochs=epochs, verbose=0)
    return model, history.history


def continue_path(model, start, pages=6):
    """The most likely continuation of a path, page by page."""
    path = list(start)
    for _ in range(pages):
        scores = model(np.array([path[-LENGTH + 1:]], dtype="int32"), training=False)
        path.append(int(np.argmax(scores[0, -1])))
    return path


def main():
    rng = np.random.default_rng()
    model, history = train(draw_sessions(1200, rng))
    for epoch, (loss, accuracy) in enumerate(zip(history["loss"], history["accuracy"]), 1):
        print(f"epoch {epoch}: loss {loss:.3f}, next page right {accuracy:.3f}")
    for page in ("home", "compare"):
        path = continue_path(model, [PAGES.index(page)])
        print(" > ".join(PAGES[number] for number in path))


if __name__ == "__main__":
    main()
