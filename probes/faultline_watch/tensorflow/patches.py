"""What of TensorFlow is wrapped. Each wrapper tells the recorder and calls the original."""

import atexit
import os
import sys

import tensorflow as tf
from tensorflow.python.data.ops.iterator_ops import OwnedIterator
from tensorflow.python.eager import backprop
from tensorflow.python.eager.polymorphic_function import polymorphic_function
from tensorflow.python.ops import resource_variable_ops

from .. import sharing
from . import arrays, losses, sessions
from .recorder import Recorder
from .wrapping import wrap

ACTIVATIONS = "relu relu6 sigmoid tanh softmax log_softmax elu selu leaky_relu softplus gelu silu swish".split()
STEPS_OF_KERAS = ("make_train_function.<locals>.train_function", "_make_function.<locals>.multi_step_on_iterator")

recorder = None


def install(module, descriptor, every):
    global recorder
    if recorder is not None:
        return
    recorder = Recorder(sharing.stream(descriptor), every, str(module.__version__))
    sharing.joins(recorder)
    os.register_at_fork(before=recorder.flush, after_in_child=recorder.in_child)
    atexit.register(_at_exit)
    _functions()
    _tapes()
    _variables()
    _library()
    sessions.install(recorder)


def _at_exit():
    error = getattr(sys, "last_value", None)
    failed = isinstance(error, Exception)
    if failed and not (sharing.others(recorder) and not recorder.started):
        recorder.crashed(error)
    recorder.end(1 if failed else 0)


def _functions():
    """Compiled functions, where the program calls them, not where one calls another."""

    def make(original):
        def __call__(self, *args, **kwargs):
            if not recorder.on or recorder.busy or recorder.compiled.calling is not None or not tf.executing_eagerly():
                return original(self, *args, **kwargs)
            args, batch = _batch_of(self, args, kwargs)
            call = recorder.compiled.begins(self, batch)
            if call is None:
                return original(self, *args, **kwargs)
            try:
                result = original(self, *args, **kwargs)
            except BaseException:
                recorder.compiled.failed()
                raise
            recorder.compiled.ends(call, result)
            return result

        return __call__

    wrap(polymorphic_function.Function, "__call__", make)


def _batch_of(function, args, kwargs):
    """The arguments to call with, and the tensors among them; those of an iterator at checks."""
    if not recorder.checking:
        return args, None
    if len(args) == 1 and isinstance(args[0], OwnedIterator):
        if not recorder.fits.is_running() or recorder.fits.evaluating or not _is_step_of_keras(function):
            return args, None
        return _look_ahead(args)
    flat = tf.nest.flatten((args, kwargs), expand_composites=True)
    tensors = [part for part in flat if hasattr(part, "dtype") and hasattr(part, "shape")
               and not isinstance(part, tf.Variable)]
    try:
        return args, [tf.convert_to_tensor(part) for part in tensors]
    except (ValueError, TypeError, tf.errors.OpError):
        return args, None


def _is_step_of_keras(function):
    name = getattr(getattr(function, "python_function", None), "__qualname__", "")
    model = recorder.fits.current()
    steps = getattr(model, "_steps_per_execution", None) or getattr(model, "steps_per_execution", 1)
    return name.endswith(STEPS_OF_KERAS) and int(steps) == 1


def _look_ahead(args):
    """The next batch, and an iterator of the same type over nothing but this batch for the step itself."""
    iterator = args[0]
    try:
        batch = iterator.get_next()
    except (tf.errors.OutOfRangeError, StopIteration):
        return args, None  # the program meets the end again
    recorder.busy = True
    try:
        single = tf.data.Dataset.from_tensors(batch)
        typed = tf.data.experimental.from_variant(tf.data.experimental.to_variant(single), iterator.element_spec)
        again = iter(typed)
        return (again,), tf.nest.flatten(batch, expand_composites=True)
    finally:
        recorder.busy = False


def _tapes():
    def make_enter(original):
        def __enter__(self):
            recorder.tape_entered()
            return original(self)

        return __enter__

    def make_gradient(original):
        def gradient(self, target, sources, *args, **kwargs):
            recorder.gradient_asked(target, sources)
            result = original(self, target, sources, *args, **kwargs)
            recorder.gradients_known(sources, result)
            return result

        return gradient

    wrap(backprop.GradientTape, "__enter__", make_enter)
    wrap(backprop.GradientTape, "gradient", make_gradient)


def _variables():
    def make(original):
        def __init__(self, *args, **kwargs):
            original(self, *args, **kwargs)
            recorder.variable_made(self)

        return __init__

    wrap(resource_variable_ops.ResourceVariable, "__init__", make)


def _called_by_program():
    return recorder.places.kind(sys._getframe(2).f_code.co_filename) == "program" or _is_converted(sys._getframe(2))


def _is_converted(frame):
    """Whether the code was generated from the program's by AutoGraph, which calls through one of its functions."""
    while frame is not None and os.sep + "autograph" + os.sep in frame.f_code.co_filename:
        frame = frame.f_back
    return frame is not None and os.path.basename(frame.f_code.co_filename).startswith("__autograph_generated_file")


def _library():
    """Activations and losses that the program itself calls."""
    for module in (tf.nn, tf.compat.v1.nn):
        for name in ACTIVATIONS:
            wrap(module, name, _activation(name))
        for name, kind in losses.OF_TF.items():
            wrap(module, name, _loss(kind, ("labels", "logits"), 0))
    for module in (tf, tf.math, tf.compat.v1):
        for name in ("sigmoid", "tanh"):
            wrap(module, name, _activation(name))
    for name, kind in losses.OF_V1.items():
        names = (("onehot_labels",) if kind.endswith("entropy") and not name.startswith("sparse") else ("labels",)) + \
            (("predictions",) if "entropy" not in kind else ("logits",))
        names = ("multi_class_labels", "logits") if name == "sigmoid_cross_entropy" else names
        wrap(tf.compat.v1.losses, name, _loss(kind, names, 0))


def _activation(name):
    def make(original):
        def activation(*args, **kwargs):
            result = original(*args, **kwargs)
            if not recorder.blind() and _called_by_program():
                source = args[0] if args else next(iter(kwargs.values()), None)
                recorder.activation_called(name, source, result)
            return result

        return activation

    return make


def _loss(kind, names, first):
    """`names`: of the arguments with the target and the prediction; `first`: the position of the target."""

    def make(original):
        def loss(*args, **kwargs):
            result = original(*args, **kwargs)
            if not recorder.blind() and _called_by_program():
                given = [kwargs[name] if name in kwargs else args[at] if at < len(args) else None
                         for at, name in enumerate(names, first)]
                recorder.loss_called(kind, "mean", given[0], given[1], result, squeezes=False)
            return result

        return loss

    return make


def of_keras(kind):
    """A loss function of Keras, called by the program."""

    def make(original):
        def loss(y_true, y_pred, from_logits=False, **kwargs):
            result = original(y_true, y_pred, **({"from_logits": from_logits} if from_logits is not False else {}),
                              **kwargs)
            if not recorder.blind() and _called_by_program():
                recorder.loss_called(losses.kind_of(kind, from_logits), "mean", y_true, y_pred, result,
                                     squeezes=arrays.first_tensor(y_pred) is None)
            return result

        return loss

    return make
