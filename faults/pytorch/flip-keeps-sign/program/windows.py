"""Windows around handwritten digits, with the way from window to digit."""

import numpy as np

SIDE = 28
INPUT = 16


def read_digits(part, count):
    with open(f"data/mnist/{part}-images-idx3-ubyte", "rb") as file:
        pixels = np.frombuffer(file.read(16 + count * SIDE * SIDE), np.uint8, offset=16)
    return pixels.reshape(count, SIDE, SIDE).astype(np.float32) / 255


def digit_box(image):
    """The box [x1, y1, x2, y2] that the ink fills."""
    rows = np.flatnonzero(image.max(axis=1) > 0.3)
    columns = np.flatnonzero(image.max(axis=0) > 0.3)
    return np.array([columns[0], rows[0], columns[-1] + 1, rows[-1] + 1], dtype=np.float32)


def crop(image, box):
    """What is seen through a square window, in INPUT by INPUT pixels."""
    steps = (np.arange(INPUT) + 0.5) / INPUT
    padded = np.pad(image, SIDE)
    columns = (box[0] + steps * (box[2] - box[0])).astype(int) + SIDE
    rows = (box[1] + steps * (box[3] - box[1])).astype(int) + SIDE
    return padded[np.ix_(rows, columns)]


def propose(image):
    """A window beside the digit and the offsets [dx1, dy1, dx2, dy2] to its box."""
    target = digit_box(image)
    side = 1.3 * max(target[2] - target[0], target[3] - target[1])
    x = (target[0] + target[2] - side) / 2 + np.random.uniform(-0.15, 0.15) * side
    y = (target[1] + target[3] - side) / 2 + np.random.uniform(-0.15, 0.15) * side
    window = np.array([x, y, x + side, y + side], dtype=np.float32)
    return crop(image, window), (target - window) / side, window


def make_windows(part, count):
    images, offsets, windows = zip(*(propose(image) for image in read_digits(part, count)))
    return np.stack(images), np.stack(offsets), np.stack(windows)
