"""Values of tensors and variables as arrays."""

import math

import numpy as np
import tensorflow as tf


def plain(variable):
    """The variable of TensorFlow behind one of Keras."""
    for inner in ("_value", "_variable"):  # of Keras 3; of mixed precision
        behind = getattr(variable, inner, None)
        if isinstance(behind, tf.Variable):
            return behind
    return variable


def key_of(variable):
    """What tells a variable from others."""
    variable = plain(variable)
    return getattr(variable, "_unique_id", None) or id(variable)


def dense(tensor):
    """Sparse gradients are the rows that they have."""
    return tensor.values if isinstance(tensor, (tf.IndexedSlices, tf.SparseTensor)) else tensor


def is_real(tensor):
    """Whether it has values now."""
    return isinstance(tensor, (tf.Tensor, tf.IndexedSlices)) and hasattr(dense(tensor), "numpy")


def is_tensor(value):
    return isinstance(value, tf.Tensor)


def array_of(value):
    """The values, None if there are none that are numbers."""
    if value is None:
        return None
    value = dense(value)
    # numpy() copies; tensors do not change, and an array of one keeps it alive
    is_array = isinstance(value, (np.ndarray, np.generic))
    array = np.asarray(value if is_array else getattr(value, "_numpy", value.numpy)())
    if array.dtype.name in ("bfloat16", "float8_e5m2", "float8_e4m3fn"):
        array = array.astype(np.float32)
    return array if array.dtype.kind in "fiub" and array.size else None


def value_of(variable):
    try:
        return array_of(plain(variable))
    except (ValueError, AttributeError, tf.errors.OpError):  # it has no value yet
        return None


def first_tensor(value):
    if is_tensor(value):
        return value
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for part in value:
            found = first_tensor(part)
            if found is not None:
                return found
    return None


def by_units(array):
    """With the units last, where `statistics` finds them, however many axes there are."""
    return array.reshape(-1, array.shape[-1]) if array.ndim > 2 else array


def is_float(tensor):
    return is_tensor(tensor) and tensor.dtype.is_floating


def known(value):
    """The values of an array or a tensor, None if it is of a graph."""
    return array_of(value) if isinstance(value, (np.ndarray, np.generic)) or is_real(value) else None


def given(value):
    """An argument that may be a tensor, an array or numbers in lists."""
    found = value if isinstance(value, np.ndarray) else first_tensor(value)
    if found is None and isinstance(value, (list, tuple)):
        try:
            found = np.asarray(value)
        except ValueError:
            return None
        return found if found.dtype.kind in "fiub" else None
    return found


def losses_of(targets):
    """What is minimised: of several, those with one value."""
    known = [array for array in targets if array is not None and array.dtype.kind == "f"]
    return [float(array.sum()) for array in known if array.size == 1 or len(known) == 1]


def number(value):
    value = value.numpy() if hasattr(value, "numpy") else value
    try:
        return float(value)
    except (TypeError, ValueError):
        return math.nan
