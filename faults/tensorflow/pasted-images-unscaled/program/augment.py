import numpy as np


class ConstantFiller:
    """A background of one value."""

    def __init__(self, value=0):
        self.value = value

    def fill(self, shape, image):
        shape = tuple(shape) + image.shape[2:]
        return np.zeros(shape) + self.value


class RandomPaste:
    """Put the image somewhere on a larger background."""

    def __init__(self, shape, filler=None):
        self.shape = shape
        self.filler = filler or ConstantFiller()

    def __call__(self, image):
        height, width = image.shape[:2]
        canvas = self.filler.fill(self.shape, image)
        top = np.random.randint(self.shape[0] - height + 1)
        left = np.random.randint(self.shape[1] - width + 1)
        canvas[top : top + height, left : left + width] = image
        return canvas


class CentrePaste(RandomPaste):
    def __call__(self, image):
        top, left = (np.array(self.shape) - image.shape[:2]) // 2
        rest = [(top, self.shape[0] - image.shape[0] - top), (left, self.shape[1] - image.shape[1] - left)]
        return np.pad(image, rest + [(0, 0)] * (image.ndim - 2), constant_values=self.filler.value)


class Contrast:
    """Stretch the values about their mean; stays within a byte."""

    def __init__(self, low=0.8, high=1.2):
        self.low, self.high = low, high

    def __call__(self, image):
        factor = np.random.uniform(self.low, self.high)
        mean = image.mean()
        return np.clip((image - mean) * factor + mean, 0, 255).astype(image.dtype)


def chain(augmentors):
    def apply(image):
        for augmentor in augmentors:
            image = augmentor(image)
        return image

    return apply
