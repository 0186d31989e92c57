"""Random transformations of an image together with its mask of classes."""

import random

import torch.nn.functional as F


def resize(image, size, interpolation):
    """Scale an image of shape (height, width) to a square of `size`."""
    corners = None if interpolation == "nearest" else False
    scaled = F.interpolate(
        image[None, None], size=(size, size), mode=interpolation, align_corners=corners
    )
    return scaled[0, 0]


class DualTransform:
    """Applies itself with the same parameters to an image and to its mask."""

    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, image, mask):
        if random.random() >= self.p:
            return image, mask
        params = self.get_params()
        return self.apply(image, **params), self.apply_to_mask(mask, **params)

    def get_params(self):
        return {}

    def apply_to_mask(self, mask, **params):
        return self.apply(mask, **{**params, "interpolation": "nearest"})


class Shift(DualTransform):
    """Move by up to `limit` pixels; what leaves on one side is lost."""

    def __init__(self, limit, p=0.5):
        super().__init__(p)
        self.limit = limit

    def get_params(self):
        return {
            "dy": random.randint(-self.limit, self.limit),
            "dx": random.randint(-self.limit, self.limit),
        }

    def apply(self, image, dy=0, dx=0, **params):
        height, width = image.shape
        padded = F.pad(image, (self.limit,) * 4)
        top, left = self.limit - dy, self.limit - dx
        return padded[top:top + height, left:left + width]


class RandomSizedCrop(DualTransform):
    """Cut out a square of random size and scale it to `size`."""

    def __init__(self, min_max_size, size, interpolation="bilinear", p=0.5):
        super().__init__(p)
        self.min_max_size = min_max_size
        self.size = size
        self.interpolation = interpolation

    def get_params(self):
        return {
            "crop": random.randint(*self.min_max_size),
            "y": random.random(),
            "x": random.random(),
        }

    def apply(self, image, crop=0, y=0.0, x=0.0, **params):
        top = int((image.shape[0] - crop) * y)
        left = int((image.shape[1] - crop) * x)
        window = image[top:top + crop, left:left + crop]
        return resize(window, self.size, self.interpolation)


class Compose:
    def __init__(self, *steps):
        self.steps = steps

    def __call__(self, image, mask):
        for step in self.steps:
            image, mask = step(image, mask)
        return image, mask
