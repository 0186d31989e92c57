"""Training in sessions of tf.compat.v1: a step is a run that fetches what an optimizer's apply_gradients() gave.

At a check, a run of its own just before the step computes layers, losses and gradients, with what the program feeds. It
is left out where it would change the next numbers of the program: a random operation of a session has one state, and
a queue or an iterator hands each batch out once. Then the weights are all that is looked at.
"""

import tensorflow as tf

from . import arrays, graphs
from .wrapping import wrap

RANDOM = frozenset("""RandomUniform RandomUniformInt RandomStandardNormal TruncatedNormal Multinomial RandomShuffle
RandomGamma ParameterizedTruncatedNormal""".split())

recorder = None


def install(given):
    global recorder
    recorder = given
    _optimizers(tf.compat.v1.train.Optimizer)
    _sessions()


def _optimizers(owner):
    def make_init(original):
        def __init__(self, *args, **kwargs):
            recorder.optimizer_made(self)
            original(self, *args, **kwargs)

        return __init__

    def make_compute(original):
        def compute_gradients(self, loss, *args, **kwargs):
            if not callable(loss):
                recorder.gradient_asked(loss, ())
            return original(self, loss, *args, **kwargs)

        return compute_gradients

    def make_apply(original):
        def apply_gradients(self, grads_and_vars, *args, **kwargs):
            pairs = list(grads_and_vars)
            if tf.executing_eagerly():
                recorder.before_apply(self, pairs)
                result = original(self, pairs, *args, **kwargs)
                recorder.after_apply(self)
                return result
            result = original(self, pairs, *args, **kwargs)
            recorder.session_step_made(self, pairs, result)
            return result

        return apply_gradients

    wrap(owner, "__init__", make_init)
    wrap(owner, "compute_gradients", make_compute)
    wrap(owner, "apply_gradients", make_apply)


def _sessions():
    from tensorflow.python.client.session import BaseSession

    def make(original):
        def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
            if not recorder.on or recorder.busy:
                return original(self, fetches, feed_dict, options, run_metadata)
            step = step_among(self.graph, fetches)
            if step is None:
                return original(self, fetches, feed_dict, options, run_metadata)
            recorder.session_runs(step, lambda wanted, feeds: original(self, wanted, feeds), feed_dict)
            result = original(self, fetches, feed_dict, options, run_metadata)
            recorder.session_ran(step, lambda wanted, feeds: original(self, wanted, feeds), fetches, result, feed_dict)
            return result

        return run

    wrap(BaseSession, "run", make)


class Step:
    """An operation that trains, and what it was made of."""

    def __init__(self, optimizer, pairs, record):
        self.optimizer, self.pairs, self.record = optimizer, pairs, record
        self.record.applied = [(optimizer, pairs)]
        self.safe = None  # tensors that a run of our own may compute


def step_among(graph, fetches):
    """The step that a run makes, None if it makes none."""
    steps = getattr(graph, "_watched_steps", None)
    if not steps:
        return None
    for fetch in tf.nest.flatten(fetches):
        operation = getattr(fetch, "op", fetch)
        found = steps.get(operation) if not isinstance(operation, str) else None
        if found is not None:
            return found
    return None


def made(operation, optimizer, pairs):
    graph = operation.graph
    if not hasattr(graph, "_watched_steps"):
        graph._watched_steps = {}
    graph._watched_steps[getattr(operation, "op", operation)] = Step(optimizer, pairs, graphs.record_of(graph))


def safe(tensors):
    """Those that one more run may compute without a trace."""
    good = {}

    def is_harmless(operation):
        return operation.type not in RANDOM and (
            graphs.is_harmless(operation, graphs._functions_of(operation.graph)))

    for operation in graphs.leading_to(tensors, {}):
        good[operation._id] = is_harmless(operation) and all(good.get(source.op._id, False)
                                                             for source in operation.inputs)
    return [tensor for tensor in tensors if good.get(tensor.op._id)]


def variables_of(layers):
    return [variable for layer in layers for _, variable in layer.parameters()]


def value_among(tensor, fetches, result):
    """What the program's own run gave for a tensor; None if it did not fetch it."""
    try:
        flat, values = tf.nest.flatten(fetches), tf.nest.flatten(result)
    except (ValueError, TypeError):
        return None
    if len(flat) != len(values):
        return None
    for fetch, value in zip(flat, values, strict=True):
        if fetch is tensor:
            return value
    return None


def array_of(value):
    return arrays.array_of(value) if value is not None else None
