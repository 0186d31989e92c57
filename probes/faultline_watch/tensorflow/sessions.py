"""Training in sessions of tf.compat.v1: a step is a run that fetches what an optimizer's apply_gradients() gave.

At a check, a run of its own just before the step computes layers, losses and gradients, with what the program feeds. It
is left out where it would change the next numbers of the program: a random operation of a session has one state, and
a queue or an iterator hands each batch out once. Then the weights are all that is looked at.
"""

import tensorflow as tf
from tensorflow.python.client.session import BaseSession

from . import arrays, graphs
from .guard import guarded
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
            recorder.sessions.step_made(self, pairs, result)
            return result

        return apply_gradients

    wrap(owner, "__init__", make_init)
    wrap(owner, "compute_gradients", make_compute)
    wrap(owner, "apply_gradients", make_apply)


def _sessions():
    def make(original):
        def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
            if not recorder.on or recorder.busy:
                return original(self, fetches, feed_dict, options, run_metadata)
            step = step_among(self.graph, fetches)
            if step is None:
                return original(self, fetches, feed_dict, options, run_metadata)
            recorder.sessions.runs(step, lambda wanted, feeds: original(self, wanted, feeds), feed_dict)
            result = original(self, fetches, feed_dict, options, run_metadata)
            recorder.sessions.ran(step, lambda wanted, feeds: original(self, wanted, feeds), fetches, result)
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


def _note(operation, optimizer, pairs):
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


class Sessions:
    def __init__(self, recorder):
        self.recorder = recorder

    @guarded
    def step_made(self, optimizer, pairs, operation):
        if hasattr(operation, "graph"):
            _note(operation, optimizer, pairs)
            self.recorder.optimised.update(arrays.key_of(variable) for _, variable in pairs)

    @guarded
    def runs(self, step, run, feeds):
        """Before a run that trains."""
        self.recorder.know_optimizer(step.optimizer, step.pairs)
        if not self.recorder.checking:
            return
        if step.safe is None:
            step.safe = safe(self.recorder.compiled.wanted(step.record))
        for _, variable in step.pairs:
            self.recorder.layers.of_variable(variable)
        wanted = [*step.safe, *variables_of(self.recorder.layers.all)]
        values = run(wanted, feeds)
        known = {id(tensor): array for tensor, array in zip(wanted, map(arrays.known, values), strict=True)}
        self.recorder.values_now = {id(variable): known[id(variable)] for variable in wanted[len(step.safe):]}
        self.recorder.compiled.take_values(step.record, known)
        self.recorder.values_now = {}

    @guarded
    def ran(self, step, run, fetches, result):
        target = step.record.targets[-1] if step.record.targets else None
        value = value_among(target, fetches, result)
        if value is not None and getattr(value, "size", 1) == 1:
            self.recorder.values = [float(value)]
        if self.recorder.checking:
            variables = variables_of(self.recorder.layers.all)
            self.recorder.values_now = dict(zip(map(id, variables), run(variables, None), strict=True))
            self.learn_rate(step, run)
        self.recorder.finish_step(self.recorder.rate)
        self.recorder.values_now = {}

    def learn_rate(self, step, run):
        rate = getattr(step.optimizer, "_learning_rate", getattr(step.optimizer, "_lr", None))
        if arrays.is_tensor(rate) or isinstance(rate, tf.Variable):
            leads = graphs.leading_to([rate], {}) if arrays.is_tensor(rate) else ()
            known = not arrays.is_tensor(rate) or safe([rate])
            if known and not any(operation.type.startswith("Placeholder") for operation in leads):
                self.recorder.rate = float(run(rate, None))
        elif isinstance(rate, (int, float)):
            self.recorder.rate = float(rate)
