"""Targets that were padded to a common length, and losses that count the padding."""

import numpy as np

from .statistics import array_of

MOST_VALUES = 1 << 18
FEWEST_ROWS = 4


def find(rows):
    """Where rows of a matrix (or of vectors) end in padding: a mask of the first two axes and its value, or None.

    Padding is one value at the end of rows, in runs of different lengths, that the rows have nowhere else.
    """
    if rows.ndim < 2 or rows.shape[0] < FEWEST_ROWS or rows.shape[1] < 3 or rows.size > MOST_VALUES:
        return None
    cells = rows.reshape(*rows.shape[:2], -1)
    if not (cells == cells[..., :1]).all(axis=2)[:, -1].any():
        return None
    ends, counts = np.unique(cells[:, -1, 0], return_counts=True)
    value = ends[counts.argmax()]
    same = (cells == value).all(axis=2)
    tail = np.logical_and.accumulate(same[:, ::-1], axis=1)[:, ::-1]
    lengths = tail.sum(axis=1)
    padded = (lengths > 0).mean()
    if padded < 0.25 or len(np.unique(lengths)) < 3 or (same & ~tail).any() or (lengths == rows.shape[1]).any():
        return None
    return tail, value.item()


def layouts(target, output):
    """The target as rows of positions: as it is, or as the model's output (rows, positions, …) is laid out."""
    if target.ndim >= 2:
        yield target
        yield target.swapaxes(0, 1)
    elif output is not None and len(output) >= 2 and output[0] * output[1] == len(target):
        rows = target.reshape(output[0], output[1])
        yield rows
        yield rows.T


def of_input(source, output):
    """The padding of what a model is given, laid out like its output (rows, positions, …): a mask over the first
    axes of the output, the value, and the axes that are left; None if there is none."""
    array = array_of(source) if source is not None and 2 <= source.dim() <= 3 else None
    if array is None or output.dim() < 2:
        return None
    for rows in (array, array.swapaxes(0, 1)):
        found = find(rows)
        if found is None:
            continue
        tail, value = found
        turned = rows is not array
        shape = tuple(output.shape)
        own = tail.T if turned else tail
        if shape[:2] == own.shape:
            return own, value, "first"
        if shape[0] == own.size:
            return own.reshape(-1), value, "flat"
        if len(shape) == 3 and (shape[0], shape[2]) == own.shape:
            return own, value, "last"
    return None


def has_positions(found, gradient, targets):
    """Whether the second axis of an output counts positions. One of two axes may have as many classes by chance: then
    the target must have one entry for each position."""
    return found[2] != "first" or gradient.ndim != 2 or targets == gradient.size


def reached(found, gradient):
    """Whether the gradient of the output is there at padded positions as well as at others."""
    tail, value, layout = found
    used = gradient != 0
    if layout == "last":
        used = used.any(axis=1)
    elif used.ndim > tail.ndim:
        used = used.reshape(*tail.shape, -1).any(axis=-1)
    if used[tail].mean() < 0.9 or used[~tail].mean() < 0.5:
        return None
    return {"kind": "", "value": value, "share": float(tail.mean()), "rows": tail.shape[0],
            "positions": tail.shape[-1]}


def counted(kind, args, kwargs, prediction, target, output):
    """What is said about a loss whose mean takes in the padding of its target; None if it does not."""
    if kwargs.get("reduction", "mean") == "none" or prediction is None or target is None:
        return None
    guess, truth = array_of(prediction), array_of(target)
    if guess is None or truth is None or truth.size > MOST_VALUES:
        return None
    classes = kind in ("cross_entropy", "nll_loss")
    if classes and (truth.dtype.kind not in "iu" or not _all_count(truth, args, kwargs)):
        return None
    if not classes and truth.shape != guess.shape:
        return None
    for rows in layouts(truth, output):
        found = find(rows)
        if found is None:
            continue
        tail, value = found
        if not classes and (value != 0 or _is_masked(guess, rows, tail, truth)):
            return None
        return {"value": value, "share": float(tail.mean()), "rows": rows.shape[0], "positions": rows.shape[1]}
    return None


def _all_count(truth, args, kwargs):
    """No class is left out of the loss, by its number or its weight."""
    ignored = kwargs.get("ignore_index", args[4] if len(args) > 4 else -100)
    weight = kwargs.get("weight", args[2] if len(args) > 2 else None)
    return weight is None and not (truth == ignored).any()


def _is_masked(guess, rows, tail, truth):
    """The prediction is zero at the padding as well: the program took care of it."""
    if rows.shape != truth.shape[:rows.ndim] or guess.shape[:2] != tail.shape:
        guess = guess.swapaxes(0, 1) if guess.ndim >= 2 else guess
    return guess.ndim < 2 or guess.shape[:2] != tail.shape or not guess[tail].any()
