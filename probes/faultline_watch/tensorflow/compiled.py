"""Steps in compiled functions: when the program calls one, and what it computes."""

import contextlib
import os
import weakref
from threading import get_ident

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import ops as framework

from .. import schedule
from . import arrays, graphs
from .guard import guarded
from .tracer import origin

# What a graph that holds something unknown may raise.
NOT_TO_BE_COPIED = (tf.errors.OpError, ValueError, TypeError, KeyError, AttributeError)


class Call:
    """A call of a compiled function by the program, or by Keras for it."""

    def __init__(self, function, batch):
        self.function = function
        self.batch = batch       # tensors, None if they are not known
        self.records = []        # of steps that were traced during the call
        self.looked = None       # the record that was looked at


class Compiled:
    def __init__(self, recorder):
        self.recorder = recorder
        self.steppers = weakref.WeakKeyDictionary()  # functions that step: their records
        self.calling = None                          # the call that is running

    @guarded
    def begins(self, function, batch):
        """`batch`: the tensors that the function is about to get, None if that is not known."""
        self.calling = call = Call(function, batch)
        records = self.steppers.get(function)
        if records and self.recorder.checking:
            with tf.init_scope():
                for record in reversed(records):
                    if self.inspect(record, batch):
                        call.looked = record
                        break
                else:
                    self.recorder.take([(None, variable) for _, pairs in records[-1].applied for _, variable in pairs])
        return call

    def applied(self, optimizer, pairs):
        """TensorFlow traces a step."""
        record = graphs.record_of(framework.get_default_graph())
        record.applied.append((optimizer, pairs))
        self.recorder.stepping = 1
        call = self.calling
        if call is None:
            return
        call.records.append(record)
        with tf.init_scope():
            if not tf.executing_eagerly():
                return
            self.recorder.know_optimizer(optimizer, pairs)
            if self.recorder.checking and call.looked is None:
                if not self.inspect(record, call.batch):
                    self.recorder.take([(None, variable) for _, variable in pairs])
                call.looked = record

    def inspect(self, record, batch):
        """Compute the record's tensors from the batch, and take them. False if that is not possible."""
        graph = record.graph()
        if batch is None or record.impossible or graph is None:
            return False
        data = graphs.data_of(graph)
        if not graphs.fits(data, batch):
            return False
        wanted = self.wanted(record)
        if record.copy is None or len(record.copy[1]) != len(wanted):
            record.copy = (graphs.Copy(graph, wanted, data), wanted)
        try:
            values = record.copy[0].run(batch, len(wanted))
        except NOT_TO_BE_COPIED:
            record.impossible = True  # weights and updates are still seen
            record.copy = None
            if "FAULTLINE_WATCH_DEBUG" in os.environ:
                raise
            return False
        known = {id(tensor): value for tensor, value in zip(wanted, values, strict=True)}
        self.take_values(record, known)
        if not self.recorder.incident and self.is_spoilt(record, known):
            with contextlib.suppress(*NOT_TO_BE_COPIED):
                self.recorder.tell_origin(origin(self.recorder, record, graph, data, batch))
        return True

    def is_spoilt(self, record, known):
        """Whether the loss or a gradient is not finite. Infinities elsewhere may be meant."""
        ends = [*record.targets, *(arrays.dense(gradient) for _, pairs in record.applied for gradient, _ in pairs)]
        values = [known.get(id(tensor)) for tensor in ends if tensor is not None]
        return any(value is not None and value.dtype.kind == "f" and not np.isfinite(value).all() for value in values)

    def wanted(self, record):
        found = [record.root_input, *record.targets, *(call[2] for call in record.calls)]
        for use in record.uses:
            found += [use.target, use.prediction]
        for _, pairs in record.applied:
            found += [arrays.dense(gradient) for gradient, _ in pairs]
        different = {id(tensor): tensor for tensor in found if tensor is not None and record.own(tensor)}
        return list(different.values())

    def take_values(self, record, known):
        def value(tensor):
            return known.get(id(arrays.dense(tensor))) if tensor is not None else None

        recorder = self.recorder
        source = value(record.root_input)
        recorder.samples = len(source) if source is not None and source.ndim else 0
        floats = source if source is not None and source.dtype.kind == "f" else None
        for layer, given, output, _, _ in record.calls:
            recorder.note_shapes(layer, given)
            recorder.note_feeding(layer, given, output)
            recorder.take_output(layer, floats, value(output) if arrays.is_float(output) else None)
        for use in record.uses:
            target = value(use.target)
            given = target if target is not None else arrays.known(use.target)  # an array, not of the graph
            recorder.tell_loss(use, given, value(use.prediction), source)
        recorder.values = arrays.losses_of([value(target) for target in record.targets])
        if not record.uses and record.targets and schedule.usual(recorder.step):
            places = recorder.places
            recorder.own_loss(places.of_trace(record.targets[0].op.traceback) or places.here(), source)
        recorder.take([(value(gradient), variable) for _, pairs in record.applied for gradient, variable in pairs])

    @guarded
    def ends(self, call, result):
        self.calling = None
        self.recorder.stepping = 0
        records = self.steppers.setdefault(call.function, []) if call.records else self.steppers.get(call.function)
        if not records and not call.records:
            return
        for record in call.records:
            if record not in records:
                records.append(record)
        recorder = self.recorder
        recorder.thread = get_ident()
        recorder.tell_outside()
        if call.records:
            recorder.fits.traced(records[-1])
        value, samples = recorder.fits.added_up() or (_loss_among(result, records[-1]), 0)
        if value is not None:
            recorder.values = [value]
        recorder.samples = recorder.samples or samples
        recorder.finish_step(recorder.rate_of(records[-1].applied[-1][0]))

    def failed(self):
        self.calling = None
        self.recorder.stepping = 0


def _loss_among(result, record):
    """The loss, if the function returns it."""
    if isinstance(result, tf.experimental.Optional):  # as Keras 3 wraps what a train_step returns
        result = result.get_value() if result.has_value() else None
    if isinstance(result, dict) and "loss" in result:
        return arrays.number(result["loss"])
    if record.loss_position is None:
        record.loss_position = _position_of_loss(record)
    if record.loss_position < 0:
        return None
    flat = [result] if arrays.is_tensor(result) else tf.nest.flatten(result, expand_composites=True)
    flat = [part for part in flat if arrays.is_tensor(part)]
    outputs = record.graph().outputs
    if [part.dtype for part in flat] != [output.dtype for output in outputs]:  # of a function that calls this one
        return None
    return arrays.number(flat[record.loss_position])


def _position_of_loss(record):
    """Which of the results of a compiled function gradients were asked of; -1: none."""
    graph = record.graph()
    wanted = {id(target) for target in record.targets}
    for position, output in enumerate(getattr(graph, "outputs", None) or ()):
        returned = output.op.type == "Identity" and len(output.op.inputs)
        if output.shape.rank == 0 and id(output.op.inputs[0] if returned else output) in wanted:
            return position
    return -1
