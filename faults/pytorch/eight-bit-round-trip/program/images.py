"""Conversions and transformations of grey scans, one channel each."""

import numpy as np
import torch
import torch.nn.functional as F


def to_tensor(scan):
    """A scan of 8 or 16 bits as a tensor of values from 0 to 1."""
    top = np.iinfo(np.uint8).max if scan.dtype == np.uint8 else np.iinfo(np.uint16).max
    return torch.from_numpy(scan.astype(np.float32)).div(top)


def to_ndarray(image):
    """The inverse of `to_tensor`, to store a transformed image as a scan."""
    image = image.mul(255).round().clamp(0, 255).byte()
    return image.numpy()


def shift(image, dy, dx):
    """Move an image by a pixel or none; the border is repeated."""
    height, width = image.shape
    padded = F.pad(image[None, None], (1, 1, 1, 1), mode="replicate")[0, 0]
    return padded[1 - dy:1 - dy + height, 1 - dx:1 - dx + width]
