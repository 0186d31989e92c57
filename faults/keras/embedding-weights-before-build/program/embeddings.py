import numpy as np
from tensorflow.keras import layers

PAD, UNKNOWN = 0, 1


def make_vectors(words, groups, size=8):
    """Stand-ins for vectors read from a file: words of a group lie close together."""
    centres = {group: np.random.randn(size) for group in sorted(set(groups))}
    vectors = [centres[group] + 0.2 * np.random.randn(size) for group in groups]
    word2idx = {word: index for index, word in enumerate(words, start=2)}
    return word2idx, np.concatenate([np.zeros((2, size)), vectors]).astype("float32")


def embedding_layer(weights):
    """A layer that looks up the given vectors and leaves them as they are."""
    layer = layers.Embedding(weights.shape[0], weights.shape[1])
    layer.set_weights(weights)
    layer.trainable = False
    return layer
