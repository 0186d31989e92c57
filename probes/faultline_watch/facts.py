"""What is said about a tensor of data: the model's input, the prediction, the target."""

import numpy as np

from .statistics import array_of

LARGEST = 1 << 18
MOST_CLASSES = 1000


def short(tensor):
    """Shape, type and range."""
    facts = {"shape": list(tensor.shape), "dtype": str(tensor.dtype).replace("torch.", "")}
    array = array_of(tensor)
    if array is not None:
        _range(facts, _some(array.reshape(-1)))
    return facts


def _some(values):
    return values[::-(-len(values) // LARGEST)] if len(values) > LARGEST else values


def _range(facts, values):
    if values.dtype.kind == "b":
        values = values.astype(np.uint8)
    with np.errstate(all="ignore"):
        low, high = values.min(), values.max()
        if values.dtype.kind == "f" and not np.isfinite(high - low):
            facts["nan"], facts["inf"] = int(np.isnan(values).sum()), int(np.isinf(values).sum())
            values = values[np.isfinite(values)]
            if len(values) == 0:
                return values
            low, high = values.min(), values.max()
        facts["min"], facts["max"] = float(low), float(high)
        facts["mean"], facts["std"] = float(values.mean(dtype=np.float64)), float(values.std(dtype=np.float64))
    return values


def of_input(tensor):
    facts = short(tensor)
    array = array_of(tensor)
    if array is not None and array.ndim == 2 and array.shape[0] > 1 and array.size <= LARGEST:
        deviations = array.astype(np.float64).std(axis=0)
        varying = deviations[deviations > 0]
        facts["constant_columns"] = int(len(deviations) - len(varying))
        if len(varying) and np.isfinite(varying).all():
            facts["column_scale_ratio"] = float(varying.max() / varying.min())
    return facts


def of_prediction(tensor):
    facts = short(tensor)
    array = array_of(tensor)
    if array is None:
        return facts
    facts["negative"] = float((_some(array.reshape(-1)) < 0).mean())
    if facts.get("min") == 0 and facts.get("max") == 1:
        facts["distinct"] = len(np.unique(array.reshape(-1)[:1 << 16]))
    if array.ndim >= 2 and array.shape[1] > 1 and array.size <= LARGEST:
        rows = _rows(array)
        sums = rows.sum(axis=1)
        facts["row_sum_min"], facts["row_sum_max"] = float(sums.min()), float(sums.max())
        facts["largest_share"] = float(np.bincount(rows.argmax(axis=1)).max() / len(rows))
    return facts


def of_target(tensor, classes=None):
    """`classes`: how many the prediction has, where the target counts them."""
    facts = short(tensor)
    array = array_of(tensor)
    if array is None:
        return facts
    values = _some(array.reshape(-1))
    if values.dtype.kind == "f":
        facts["fraction"] = float((values != np.floor(values)).mean())
        facts["negative"] = float((values < 0).mean())
    different = np.unique(values[:1 << 16])
    facts["distinct"] = len(different)
    whole = values.dtype.kind in "iub" or facts.get("fraction") == 0
    if whole and array.ndim == 2 and array.shape[1] > 1 and facts.get("max") == 1 and facts.get("min") == 0:
        facts["row_sum_min"], facts["row_sum_max"] = float(array.sum(axis=1).min()), float(array.sum(axis=1).max())
        facts["class_counts"] = [int(count) for count in array.sum(axis=0)[:MOST_CLASSES]]
    elif whole and facts.get("min", -1) >= 0 and facts.get("max", MOST_CLASSES) < MOST_CLASSES:
        counts = np.bincount(values.astype(np.int64), minlength=min(classes or 0, MOST_CLASSES))
        facts["class_counts"] = [int(count) for count in counts]
    return facts


def _rows(array):
    """Classes are the second axis of a prediction (…, classes, positions)."""
    return array if array.ndim == 2 else np.moveaxis(array, 1, -1).reshape(-1, array.shape[1])


def accuracy(prediction, target, kind):
    """Share of right answers, where the target is classes; None where that makes no sense."""
    guess, truth = array_of(prediction), array_of(target)
    if guess is None or truth is None:
        return None
    if kind in ("cross_entropy", "nll_loss", "multi_margin_loss") and guess.ndim >= 2:
        chosen = guess.argmax(axis=1)
        if truth.shape == guess.shape:
            truth = truth.argmax(axis=1)
        return float((chosen == truth).mean()) if chosen.shape == truth.shape else None
    if kind.startswith("binary_cross_entropy") and guess.shape == truth.shape:
        threshold = 0 if kind.endswith("logits") else 0.5
        return float(((guess > threshold) == (truth > 0.5)).mean())
    return None
