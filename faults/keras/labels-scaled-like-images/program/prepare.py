import numpy as np
from sklearn.datasets import load_digits

BRIGHTEST = 16.0


def load(test_size=400):
    """(x_train, y_train), (x_test, y_test) of the handwritten digits, in random order."""
    digits = load_digits()
    order = np.random.permutation(len(digits.target))
    x = digits.images[order].astype("float32")
    y = digits.target[order].astype("float32")
    return (x[test_size:], y[test_size:]), (x[:test_size], y[:test_size])


def scale(part):
    x, y = part
    return x[..., None] / BRIGHTEST, y / BRIGHTEST
