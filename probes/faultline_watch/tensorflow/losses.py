"""Calls of loss functions: which one, with which declarations, and what it was given."""

import re

import numpy as np

from .. import facts

LOGITS = {"binary_crossentropy": "sigmoid_cross_entropy", "categorical_crossentropy": "softmax_cross_entropy",
          "sparse_categorical_crossentropy": "softmax_cross_entropy"}
CLASSES = ("categorical_crossentropy", "sparse_categorical_crossentropy", "softmax_cross_entropy")
# Functions of tf.nn and tf.compat.v1.losses, and the positions of target and prediction.
OF_TF = {
    "softmax_cross_entropy_with_logits": "softmax_cross_entropy",
    "softmax_cross_entropy_with_logits_v2": "softmax_cross_entropy",
    "sparse_softmax_cross_entropy_with_logits": "softmax_cross_entropy",
    "sigmoid_cross_entropy_with_logits": "sigmoid_cross_entropy",
}
OF_V1 = {
    "softmax_cross_entropy": "softmax_cross_entropy", "sparse_softmax_cross_entropy": "softmax_cross_entropy",
    "sigmoid_cross_entropy": "sigmoid_cross_entropy", "mean_squared_error": "mean_squared_error",
    "absolute_difference": "absolute_difference", "huber_loss": "huber", "log_loss": "log_loss",
}
OF_KERAS = """binary_crossentropy categorical_crossentropy sparse_categorical_crossentropy mean_squared_error
mean_absolute_error huber kl_divergence poisson log_cosh hinge squared_hinge mse mae MSE MAE""".split()
SHORT = {"mse": "mean_squared_error", "mae": "mean_absolute_error"}


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def kind_of(name, from_logits):
    name = SHORT.get(name.lower(), name)
    return LOGITS.get(name, name) if from_logits is True else name


def kind_of_object(loss):
    """The kind of an object of a loss class. The program's own ones have no kind that says more than their name."""
    function = getattr(loss, "fn", None)
    if function is None:
        return snake(type(loss).__name__)
    settings = getattr(loss, "_fn_kwargs", None) or {}
    return kind_of(getattr(function, "__name__", ""), settings.get("from_logits"))


def reduction_of(loss):
    reduction = str(getattr(loss, "reduction", "") or "")
    return "sum" if reduction == "sum" else "none" if reduction in ("none", "None") else "mean"


class Use:
    """A call of a loss, its tensors real or of a graph."""

    def __init__(self, kind, site, reduction, target, prediction, squeezes):
        self.kind, self.site, self.reduction = kind, site, reduction
        self.target, self.prediction = target, prediction
        self.squeezes = squeezes  # the loss brings (N, 1) and (N,) together


def together(target, prediction):
    """The target as a loss of Keras compares it with the prediction: (N,) with (N, 1)."""
    if target.shape == prediction.shape[:-1] and prediction.shape[-1:] == (1,):
        return target.reshape(prediction.shape)
    if prediction.shape == target.shape[:-1] and target.shape[-1:] == (1,):
        return target.reshape(prediction.shape)
    return target


def classes_second(array):
    """Keras has classes on the last axis, facts look for them on the second."""
    return np.moveaxis(array, -1, 1) if array.ndim > 2 else array


def accuracy(kind, target, prediction):
    """Share of right answers, where the target is classes; None where that makes no sense."""
    if kind in CLASSES and prediction.ndim >= 2 and prediction.shape[-1] > 1:
        chosen = prediction.argmax(axis=-1)
        if target.shape == prediction.shape:
            target = target.argmax(axis=-1)
        elif target.ndim == chosen.ndim + 1 and target.shape[-1] == 1:
            target = target[..., 0]
        return float((chosen == target).mean()) if chosen.shape == target.shape else None
    if kind in ("binary_crossentropy", "sigmoid_cross_entropy") and target.shape == prediction.shape:
        threshold = 0 if kind == "sigmoid_cross_entropy" else 0.5
        return float(((prediction > threshold) == (target > 0.5)).mean())
    return None


def describe(use, target, prediction, source, whole):
    """The facts of a `loss` event, from arrays that may be None."""
    event = {"kind": use.kind, "site": use.site, "reduction": use.reduction, "evaluating": False}
    if source is not None and whole:
        event["input"] = facts.of_input(source)
    if prediction is not None:
        event["prediction"] = {**facts.of_prediction(classes_second(prediction)), "shape": list(prediction.shape)}
    if target is not None and whole:
        if use.squeezes and prediction is not None:
            target = together(target, prediction)
        classes = prediction.shape[-1] if prediction is not None and prediction.ndim > 1 else None
        several = classes if classes and classes > 1 else None
        event["target"] = facts.of_target(target, several)
    return event
