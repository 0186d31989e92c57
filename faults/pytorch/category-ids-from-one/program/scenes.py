"""Scenes of four handwritten digits, with a mask for each category."""

import numpy as np
from sklearn.datasets import load_digits

# The numbers of the categories in the annotations.
CATEGORIES = {
    1: "zero", 2: "one", 3: "two", 4: "three", 5: "four",
    6: "five", 7: "six", 8: "seven", 9: "eight", 10: "nine",
}

# Categories that look too much alike to tell them apart: the first one stands for all.
MERGE = [[2, 8], [4, 6, 9]]


def make_scenes(count, first=0):
    """Images of 16 by 16 pixels and their masks, shape (count, categories, 16, 16)."""
    digits = load_digits()
    images = np.zeros((count, 16, 16), dtype=np.float32)
    masks = np.zeros((count, len(CATEGORIES), 16, 16), dtype=np.float32)
    for scene in range(count):
        for quarter in range(4):
            index = (first + 4 * scene + quarter) % len(digits.images)
            top, left = 8 * (quarter // 2), 8 * (quarter % 2)
            area = np.s_[top:top + 8, left:left + 8]
            images[scene][area] = digits.images[index] / 16
            masks[scene, digits.target[index]][area] = 1
    return images, masks


def merge_categories(masks):
    """Give each group of MERGE one common mask; the others of the group become empty."""
    masks = masks.copy()
    for group in MERGE:
        masks[:, group[0]] = masks[:, group].sum(axis=1)
        masks[:, group[1:]] = 0
    return masks


def used_categories(masks):
    """The channels that are not empty in all masks."""
    return np.flatnonzero(masks.any(axis=(0, 2, 3)))
