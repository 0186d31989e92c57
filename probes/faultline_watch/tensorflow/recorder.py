"""Follows the program through its training steps and writes down what it sees.

A step ends when an optimizer has applied gradients, or a compiled function has returned in which one does. Steps that
are *checks* are looked at closely. Between checks a step costs a counter and the value of the loss.
"""

import functools
import math
import os
import time
import weakref
from threading import get_ident

import numpy as np
import tensorflow as tf
from tensorflow.python import pywrap_tfe
from tensorflow.python.framework import ops as framework
from tensorflow.python.framework.func_graph import FuncGraph

from .. import schedule, sharing
from ..epochs import Epochs
from ..resident import resident_kib
from ..statistics import GRADIENT, INPUT, OUTPUT, WEIGHT, Batch
from . import arrays, graphs, losses, sessions
from .layers import Layers, is_float, is_recurrent, settings_of
from .places import Places
from .tracer import EagerTracer, origin

NAN = math.nan
MOST_LABELS = 1 << 20
MOST_DANGEROUS = 100  # steps beside the schedule that are looked at because the loss has grown
DANGER = 2.0          # times the first losses


def guarded(method):
    """An error of the probe ends the recording, never the program."""

    @functools.wraps(method)
    def call(self, *args, **kwargs):
        if not self.on or self.busy or self.is_foreign():
            return None
        self.busy = True
        try:
            return method(self, *args, **kwargs)
        except Exception as error:
            self.give_up(error)
            return None
        finally:
            self.busy = False

    return call


def is_recording():
    """Whether a gradient tape sees what is computed."""
    return not pywrap_tfe.TFE_Py_TapeSetIsEmpty() and not pywrap_tfe.TFE_Py_TapeSetIsStopped()


class Call:
    """A call of a compiled function by the program, or by Keras for it."""

    def __init__(self, function, batch):
        self.function = function
        self.batch = batch       # tensors, None if they are not known
        self.records = []        # of steps that were traced during the call
        self.looked = None       # the record that was looked at


class Recorder:
    def __init__(self, stream, every, version):
        self.stream = stream
        self.every = every
        self.version = version
        self.on = True
        self.busy = False
        self.began = time.monotonic()
        self.thread = None        # who trains
        self.places = Places()
        self.layers = Layers(self.places)
        self.epochs = Epochs(self.places)
        self.batch = Batch()
        self.told = set()         # observations
        self.compiled = losses.Sites()
        self.optimizers = weakref.WeakKeyDictionary()  # and where they were made
        self.known_optimizers = weakref.WeakSet()
        self.optimised = set()    # keys of the variables that an optimizer has
        self.steppers = weakref.WeakKeyDictionary()    # functions that step: their records
        self.calling = None       # the call of a compiled function that is running
        self.fitting = None       # the model that is being fitted, a weak reference
        self.fits = 0
        self.evaluating = 0       # calls of evaluate and predict
        self.epoch = -1           # of fit
        self.rate = NAN
        self.totals = (0.0, 0.0)  # of the loss that Keras adds up: sum and weight
        self.first_losses = []
        self.last_loss = NAN
        self.dangerous = 0
        self.loss_sites = set()
        self.open_calls = []      # layers that are being called: (layer, input, first operation)
        self.failed_layer = None
        self.stepping = 0
        self.step = 0
        self.started = False
        self.ended = False
        self.incident = False
        self.outside = []         # losses outside of training, in eager mode: (value, accuracy, samples)
        self.outside_site = None
        self.trained = weakref.WeakKeyDictionary()  # models and the variables that a compiled fit trains
        self.values_now = {}      # of the variables of a session, by id
        self.tracer = EagerTracer(self)
        self.begin_step()

    # What is said.

    def start(self):
        if not self.started:
            self.started = True
            sharing.trains(self)
            self.stream.event("start", framework="tensorflow", version=self.version, command=sharing.command(),
                              every=self.every or schedule.EVERY)

    def say(self, name, site, **values):
        key = (name, site["file"], site["line"])
        if site["line"] and key not in self.told:
            self.told.add(key)
            self.start()
            self.stream.event("observation", name=name, step=self.step, site=site, values=values)

    def give_up(self, error):
        self.on = False
        self.tracer.stop()
        self.start()
        self.stream.event("problem", message=f"{type(error).__name__}: {error} ({_where(error)})")
        self.stream.flush()

    def withdraw(self):
        """Another library of the process trains."""
        if self.step == 0:
            self.on = False
            self.tracer.stop()

    def is_foreign(self):
        return self.thread is not None and self.thread != get_ident()

    # What the program is in the middle of.

    def begin_step(self):
        self.values = []          # of the loss
        self.sources = []         # variables that gradients were asked for
        self.accuracy = NAN
        self.samples = 0
        self.root_input = None
        self.before = {}
        self.seen = set()
        self.feeds = {}           # id of an output: its layer, kept
        self.loss_seen = False
        self.batch.clear()
        self.open_calls.clear()
        self.checking = schedule.due(self.step, self.every) or self.in_danger()

    def in_danger(self):
        """The loss has grown: the next step may be the one that makes it infinite."""
        if self.incident or self.dangerous >= MOST_DANGEROUS or len(self.first_losses) < 5:
            return False
        if not self.last_loss > DANGER * max(map(abs, self.first_losses)):
            return False
        self.dangerous += 1
        return True

    def blind(self):
        """Whether a layer that is called, or a loss, is of no interest. Asked at each call."""
        return not self.on or self.busy or (tf.executing_eagerly() and not self.checking and not self.watches_outside())

    def watches(self):
        """Whether what is computed or traced now belongs to a step that is looked at."""
        if tf.executing_eagerly():
            return self.checking and is_recording()
        return is_recording() or not isinstance(framework.get_default_graph(), FuncGraph)  # one of a session

    def watches_outside(self):
        return self.step > 0 and not self.evaluating and self.fitting is None and not is_recording()

    # Layers.

    @guarded
    def layer_made(self, layer):
        self.layers.note_made(layer, self.places.here(made=layer))

    @guarded
    def variable_made(self, variable):
        self.layers.made_variables.setdefault(arrays.key_of(variable), self.places.here())

    @guarded
    def layer_begins(self, layer, inputs):
        if not self.watches():
            return None
        graph = None if tf.executing_eagerly() else framework.get_default_graph()
        record = graphs.record_of(graph) if graph is not None else None
        source = arrays.first_tensor(inputs)
        if not self.open_calls:
            self.layers.adopt(layer)
            if record is not None and record.root_input is None and record.own(source):
                record.root_input = source
            elif record is None and self.root_input is None and source is not None:
                self.root_input = source
                self.samples = int(source.shape[0]) if source.shape.rank else 0
        first = graph.version if graph is not None else 0
        mark = (layer, source, first, record)
        self.open_calls.append(mark)
        return mark

    @guarded
    def layer_ends(self, mark, output):
        while self.open_calls and self.open_calls.pop() is not mark:
            pass
        layer, source, first, record = mark
        if any(self.layers.is_closed(outer) for outer, *_ in self.open_calls):
            return
        known = self.layers.of_layer(layer)
        result = arrays.first_tensor(output)
        if known is None or result is None:
            return
        if record is not None:
            if record.own(result):
                record.calls.append((known, source, result, first, framework.get_default_graph().version))
        elif arrays.is_real(result):
            self.note_shapes(known, source)
            self.note_feeding(known, source, result)
            self.take_output(known, arrays.array_of(source) if is_float(source) else None,
                             arrays.array_of(result) if is_float(result) else None)

    def layer_failed(self, layer):
        if self.failed_layer is None and self.on and not self.busy:
            self.failed_layer = weakref.ref(layer)

    def note_shapes(self, layer, source):
        """How wide the input is, which Keras does not keep."""
        if source is None or not layer.library or not source.shape.rank:
            return
        width = source.shape[-1]
        if isinstance(width, int):
            kind = layer.kind.lower()
            if kind == "dense":
                layer.settings.setdefault("in_features", width)
            elif kind.startswith("conv"):
                layer.settings.setdefault("in_channels", width)

    def note_feeding(self, layer, source, result):
        known = self.feeds.get(id(source))
        fed_by = [known[0].id] if known is not None else []
        layer.settings["fed_by"] = sorted({*layer.settings.get("fed_by", ()), *fed_by})
        self.feeds[id(result)] = (layer, result)

    def take_output(self, layer, source, output):
        first = not self.seen
        self.layers.called(layer)
        if layer.id in self.seen:
            return
        self.seen.add(layer.id)
        if first and source is not None:
            self.batch.add(layer.id, INPUT, 0, source)
        if output is not None:
            owner = layer.owner() if layer.owner is not None else None
            flat = None if owner is not None and is_recurrent(owner) else layer.activation()
            self.batch.add(layer.id, OUTPUT, 0, arrays.by_units(output), flat)

    @guarded
    def activation_called(self, name, source, output):
        """A function of TensorFlow that the program calls itself."""
        if self.open_calls and self.layers.is_closed(self.open_calls[-1][0]):
            return
        if not self.watches() or not is_float(output):
            return
        eager = tf.executing_eagerly()
        layer = self.layers.of_function(name, self.places.here())
        if eager:
            self.note_feeding(layer, source, output)
            self.take_output(layer, arrays.array_of(source) if is_float(source) else None, arrays.array_of(output))
        else:
            graph = framework.get_default_graph()
            record = graphs.record_of(graph)
            if record.own(output):
                record.calls.append((layer, source, output, graph.version - 1, graph.version))

    # Losses.

    @guarded
    def loss_called(self, kind, reduction, target, prediction, result, squeezes=True, site=None):
        if self.evaluating:
            return
        model = self.fitting() if self.fitting is not None else None
        site = site or self.compiled.of(model) or self.places.here()
        prediction, target = arrays.first_tensor(prediction), _tensor(target)
        use = losses.Use(kind, site, reduction, target, prediction, squeezes)
        if not tf.executing_eagerly():
            record = graphs.record_of(framework.get_default_graph())
            if self.watches() and record.own(prediction):
                record.uses.append(use)
            return
        if is_recording():
            self.loss_seen = True
            if self.checking:
                self.tell_loss(use, _array(target), _array(prediction), _array(self.root_input))
        elif self.fitting is None and self.step > 0 and result is not None:
            self.evaluated_outside(use, _array(target), _array(prediction), result)

    def tell_loss(self, use, target, prediction, source):
        if target is not None and prediction is not None:
            share = losses.accuracy(use.kind, losses.together(target, prediction) if use.squeezes else target,
                                    prediction)
            self.accuracy = NAN if share is None else share
        key = (use.site["file"], use.site["line"])
        if key in self.loss_sites and not schedule.usual(self.step):
            return
        self.loss_sites.add(key)
        whole = self.step < 5 or self.step % schedule.EVERY == 0  # data seldom change, looking costs
        self.start()
        self.stream.event("loss", step=self.step, **losses.describe(use, target, prediction, source, whole))

    def evaluated_outside(self, use, target, prediction, result):
        value = _array(result)
        if value is None or target is None or prediction is None:
            return
        share = losses.accuracy(use.kind, losses.together(target, prediction), prediction)
        self.outside.append((float(value.mean()), share, len(prediction)))
        self.outside_site = self.outside_site or use.site

    def tell_outside(self):
        """A pass over data without gradients, between two steps."""
        if not self.outside:
            return
        hits = [(share, count) for _, share, count in self.outside if share is not None]
        rows = sum(count for _, count in hits)
        self.stream.event("evaluation", step=self.step, loss=sum(part[0] for part in self.outside) / len(self.outside),
                          accuracy=sum(share * count for share, count in hits) / rows if rows else NAN,
                          batches=len(self.outside), training_mode=False, site=self.outside_site)
        self.outside, self.outside_site = [], None

    # Gradients and steps.

    @guarded
    def tape_entered(self):
        if self.checking and tf.executing_eagerly() and not self.incident:
            self.tracer.start()

    @guarded
    def gradient_asked(self, target, sources):
        """Before the gradients are computed."""
        target = arrays.first_tensor(target)
        if target is None or self.evaluating:
            return
        if not tf.executing_eagerly():
            graphs.record_of(framework.get_default_graph()).targets.append(target)
            return
        if not arrays.is_real(target):
            return
        if not self.known_optimizers and self.sources:
            self.finish_step(NAN)  # the weights were changed by hand
        self.thread = get_ident()
        self.tell_outside()
        self.values += _losses_of([arrays.array_of(target)])
        if not self.known_optimizers:
            self.sources = [source for source in tf.nest.flatten(sources) if isinstance(source, tf.Variable)]
        if self.checking and not self.loss_seen and schedule.usual(self.step):
            self.loss_seen = True
            self.own_loss(self.places.here(), _array(self.root_input))
        self.open_calls.clear()
        self.tracer.goes_back()

    @guarded
    def gradients_known(self, sources, gradients):
        """Without an optimizer, this is the last that is seen of a step before the weights are changed."""
        if not tf.executing_eagerly() or not self.sources or not self.checking:
            return
        self.take([(gradient, source) for gradient, source
                   in zip(tf.nest.flatten(gradients), tf.nest.flatten(sources), strict=False)
                   if isinstance(source, tf.Variable)])

    def own_loss(self, site, source):
        """A loss of the program's own making."""
        use = losses.Use("", site, "", None, None, False)
        self.tell_loss(use, None, None, source)

    @guarded
    def optimizer_made(self, optimizer):
        self.optimizers[optimizer] = self.places.here(made=optimizer)

    def know_optimizer(self, optimizer, pairs):
        self.optimised.update(arrays.key_of(variable) for _, variable in pairs)
        if optimizer in self.known_optimizers:
            return
        self.known_optimizers.add(optimizer)
        settings = settings_of(optimizer) or _plain_attributes(optimizer)
        for short, long in (("lr", "learning_rate"), ("eps", "epsilon")):
            if isinstance(settings.get(long), (int, float)):
                settings[short] = settings[long]
        if not isinstance(settings.get("lr"), (int, float)):
            self.learn_rate(optimizer)
            if not math.isnan(self.rate):
                settings["lr"] = self.rate
        self.start()
        self.stream.event("optimizer", kind=type(optimizer).__name__, settings=settings,
                          site=self.optimizers.get(optimizer) or self.places.here())

    @guarded
    def before_apply(self, optimizer, pairs):
        if self.stepping:
            self.stepping += 1
            return
        if not tf.executing_eagerly():
            self.applied_in_graph(optimizer, pairs)
            return
        self.stepping = 1
        self.thread = get_ident()
        self.tracer.stop()
        self.know_optimizer(optimizer, pairs)
        if self.checking:
            self.take(pairs)

    @guarded
    def after_apply(self, optimizer):
        if not self.stepping:
            return
        self.stepping -= 1
        if not self.stepping and tf.executing_eagerly():
            self.finish_step(self.rate_of(optimizer))

    def apply_failed(self):
        self.stepping = 0

    def take(self, pairs):
        """Weights and gradients of a step that is about to be taken. Called with what has values."""
        gradients = {arrays.key_of(variable): gradient for gradient, variable in pairs}
        for _, variable in pairs:
            self.layers.of_variable(variable)
        for layer in self.layers.all:
            for slot, variable in layer.parameters():
                array = self.value_now(variable)
                if array is None:
                    continue
                self.before[layer.id, slot] = self.batch.add(layer.id, WEIGHT, slot, array)
                gradient = gradients.get(arrays.key_of(variable))
                array = gradient if isinstance(gradient, np.ndarray) else _array(gradient)
                if array is not None:
                    self.batch.add(layer.id, GRADIENT, slot, array)

    def learn_rate(self, optimizer):
        try:
            rate = getattr(optimizer, "learning_rate", None)
            if rate is None:
                rate = getattr(optimizer, "_learning_rate", getattr(optimizer, "_lr", NAN))
            if callable(rate) and not hasattr(rate, "numpy"):
                rate = rate(optimizer.iterations)
            self.rate = float(rate.numpy() if hasattr(rate, "numpy") else rate)
        except Exception:  # it may be anything
            self.rate = NAN

    def rate_of(self, optimizer):
        if self.checking:
            with tf.init_scope():
                self.learn_rate(optimizer)
        return self.rate

    def finish_step(self, rate):
        self.tracer.stop()
        self.start()
        loss = sum(self.values) / len(self.values) if self.values else NAN
        if self.checking:
            self.finish_check(loss)
        now = time.monotonic()
        epoch = self.epoch if self.fitting is not None else self.epochs.at(self.step, 1)
        self.stream.step(self.step, max(0, epoch), loss, rate, self.accuracy, now, now - self.began, self.samples)
        if len(self.first_losses) < 5 and math.isfinite(loss):
            self.first_losses.append(loss)
        self.last_loss = loss
        self.step += 1
        self.begin_step()

    def finish_check(self, loss):
        for layer in self.layers.all:
            for slot, variable in layer.parameters():
                before = self.before.get((layer.id, slot))
                array = self.value_now(variable) if before is not None else None
                if array is not None:
                    self.batch.add_change(layer.id, slot, array, before)
        self.layers.tell(self.stream, self.optimised)
        frames, finite = self.batch.frames(self.step)
        self.stream.raw(frames)
        if not self.incident and not (finite and (math.isfinite(loss) or math.isnan(loss) and not self.values)):
            self.tell_origin(self.tracer.found)
        self.stream.event("check", step=self.step, memory_kib=resident_kib(), tensors=0)

    def value_now(self, variable):
        value = self.values_now.get(id(variable))
        return arrays.array_of(value) if value is not None else arrays.value_of(variable)

    def tell_origin(self, found):
        if found is not None and not self.incident:
            self.incident = True
            self.stream.event("nonfinite", step=self.step, **found)

    # Compiled functions.

    @guarded
    def function_begins(self, function, batch):
        """`batch`: the tensors that the function is about to get, None if that is not known."""
        self.calling = call = Call(function, batch)
        records = self.steppers.get(function)
        if records and self.checking:
            with tf.init_scope():
                for record in reversed(records):
                    if self.inspect(record, batch):
                        call.looked = record
                        break
                else:
                    self.take([(None, variable) for _, pairs in records[-1].applied for _, variable in pairs])
        return call

    def applied_in_graph(self, optimizer, pairs):
        """TensorFlow traces a step."""
        record = graphs.record_of(framework.get_default_graph())
        record.applied.append((optimizer, pairs))
        self.stepping = 1
        call = self.calling
        if call is None:
            return
        call.records.append(record)
        with tf.init_scope():
            if not tf.executing_eagerly():
                return
            self.know_optimizer(optimizer, pairs)
            if self.checking and call.looked is None:
                if not self.inspect(record, call.batch):
                    self.take([(None, variable) for _, variable in pairs])
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
        except (tf.errors.OpError, ValueError, TypeError, KeyError, AttributeError):
            record.impossible = True  # weights and updates are still seen
            record.copy = None
            if "FAULTLINE_WATCH_DEBUG" in os.environ:
                raise
            return False
        known = {id(tensor): value for tensor, value in zip(wanted, values, strict=True)}
        self.take_values(record, known)
        spoilt = [value for value in known.values() if value is not None and value.dtype.kind == "f"]
        if not self.incident and not all(np.isfinite(value.sum()) for value in spoilt):
            self.tell_origin(origin(self, record, graph, data, batch))
        return True

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

        source = value(record.root_input)
        self.samples = len(source) if source is not None and source.ndim else 0
        for layer, given, output, _, _ in record.calls:
            self.note_shapes(layer, given)
            self.note_feeding(layer, given, output)
            array = value(output)
            first = source if source is not None and source.dtype.kind == "f" else None
            self.take_output(layer, first, array if is_float(output) else None)
        for use in record.uses:
            target = value(use.target)
            self.tell_loss(use, target if target is not None else _constant(use.target), value(use.prediction), source)
        self.values = _losses_of([value(target) for target in record.targets])
        if not record.uses and record.targets and schedule.usual(self.step):
            self.own_loss(self.places.of_trace(record.targets[0].op.traceback) or self.places.here(), source)
        self.take([(value(gradient), variable) for _, pairs in record.applied for gradient, variable in pairs])

    @guarded
    def function_ends(self, call, result):
        self.calling = None
        self.stepping = 0
        records = self.steppers.setdefault(call.function, []) if call.records else self.steppers.get(call.function)
        if not records and not call.records:
            return
        for record in call.records:
            if record not in records:
                records.append(record)
        self.thread = get_ident()
        self.tell_outside()
        model = self.fitting() if self.fitting is not None else None
        if model is not None and call.records:
            self.trained[model] = {arrays.key_of(variable) for record in records[-1:]
                                   for _, pairs in record.applied for _, variable in pairs}
        value, samples = self.added_up(), 0
        if value is not None:
            value, samples = value
        if value is None:
            value = _loss_among(result, records[-1])
        if value is not None:
            self.values = [value]
        self.samples = self.samples or samples
        self.finish_step(self.rate_of(records[-1].applied[-1][0]))

    @guarded
    def function_failed(self):
        self.calling = None
        self.stepping = 0

    def added_up(self):
        """The loss and the number of samples of the step that a fit has just made: Keras adds losses up."""
        model = self.fitting() if self.fitting is not None else None
        if model is None:
            return None
        tracker = getattr(model, "_loss_tracker", None)
        if tracker is None:
            tracker = getattr(getattr(model, "compiled_loss", None), "_total_loss_mean", None)
        if tracker is None:
            return None
        total, count = float(arrays.plain(tracker.total).numpy()), float(arrays.plain(tracker.count).numpy())
        before, weight = self.totals
        if count < weight:  # a new epoch
            before, weight = 0.0, 0.0
        self.totals = (total, count)
        if count == weight:
            return None
        return (total - before) / (count - weight), int(count - weight)

    # Sessions.

    @guarded
    def session_step_made(self, optimizer, pairs, operation):
        if hasattr(operation, "graph"):
            sessions.made(operation, optimizer, pairs)
            self.optimised.update(arrays.key_of(variable) for _, variable in pairs)

    @guarded
    def session_runs(self, step, run, feeds):
        """Before a run that trains."""
        self.know_optimizer(step.optimizer, step.pairs)
        if not self.checking:
            return
        if step.safe is None:
            step.safe = sessions.safe(self.wanted(step.record))
        for _, variable in step.pairs:
            self.layers.of_variable(variable)
        wanted = [*step.safe, *sessions.variables_of(self.layers.all)]
        values = run(wanted, feeds)
        known = {id(tensor): array for tensor, array in zip(wanted, map(sessions.array_of, values), strict=True)}
        self.values_now = {id(variable): known[id(variable)] for variable in wanted[len(step.safe):]}
        self.take_values(step.record, known)
        self.values_now = {}

    @guarded
    def session_ran(self, step, run, fetches, result, feeds):
        target = step.record.targets[-1] if step.record.targets else None
        value = sessions.value_among(target, fetches, result)
        if value is not None and getattr(value, "size", 1) == 1:
            self.values = [float(value)]
        if self.checking:
            variables = sessions.variables_of(self.layers.all)
            self.values_now = dict(zip(map(id, variables), run(variables, None), strict=True))
            self.learn_session_rate(step, run)
        self.finish_step(self.rate)
        self.values_now = {}

    def learn_session_rate(self, step, run):
        rate = getattr(step.optimizer, "_learning_rate", getattr(step.optimizer, "_lr", None))
        if arrays.is_tensor(rate) or isinstance(rate, tf.Variable):
            safe = sessions.safe([rate]) if arrays.is_tensor(rate) else [rate]
            leads = graphs.leading_to([rate], {}) if arrays.is_tensor(rate) else ()
            if safe and not any(operation.type.startswith("Placeholder") for operation in leads):
                self.rate = float(run(rate, None))
        elif isinstance(rate, (int, float)):
            self.rate = float(rate)

    # Models of Keras.

    def about_to_fit(self, model, target, share, site):
        """Before a call of fit, on the data and the model that it is given."""
        trained = self.trained.get(model)
        if trained is not None:
            now = {arrays.key_of(variable) for variable in model.trainable_variables}
            if trained != now:
                self.say("freezing-ignored", site, frozen=len(self.layers_with(model, trained - now)),
                         released=len(self.layers_with(model, now - trained)))
        if share and isinstance(target, np.ndarray):
            self.validation_split(target, float(share), site)

    def layers_with(self, model, keys):
        return [layer for layer in model.layers if any(arrays.key_of(variable) in keys for variable in layer.weights)]

    def validation_split(self, target, share, site):
        """Classes of the last part of the data that the others do not have."""
        if target.ndim > 2 or target.size > MOST_LABELS or not 0 < share < 1:
            return
        classes = target.argmax(axis=1) if target.ndim == 2 and target.shape[1] > 1 else target.reshape(len(target))
        if classes.dtype.kind not in "iub" and (classes != np.floor(classes)).any():
            return
        split = int(len(classes) * (1 - share))
        known, held = np.unique(classes[:split]), classes[split:]
        if len(held) >= 4 and len(np.unique(classes)) <= len(classes) / 4:
            self.say("validation-classes", site, share=float(np.isin(held, known, invert=True).mean()))

    @guarded
    def fit_begins(self, model, values):
        self.fitting = weakref.ref(model)
        self.fits += 1
        self.totals = (0.0, 0.0)
        self.thread = get_ident()
        self.layers.adopt(model)
        self.start()
        if values is not None:
            self.stream.event("experiment", name="fit", values=values)

    @guarded
    def fit_ends(self):
        self.fitting = None

    @guarded
    def epoch_begins(self):
        if self.fitting is not None and not self.evaluating:
            self.epoch += 1
            self.totals = (0.0, 0.0)

    @guarded
    def evaluated(self, logs, site):
        if self.step == 0 or "loss" not in logs:
            return
        accuracy = [value for name, value in logs.items() if name.startswith("acc") or name.endswith("_accuracy")]
        self.stream.event("evaluation", step=self.step, loss=_number(logs["loss"]),
                          accuracy=_number(accuracy[0]) if accuracy else NAN, batches=1, training_mode=False, site=site)

    # The end.

    @guarded
    def crashed(self, error):
        from . import crash

        self.start()
        event = crash.describe(error, self)
        self.layers.tell(self.stream, self.optimised)
        self.stream.event("crash", **event)

    def end(self, status):
        if self.ended or not self.on:
            return
        self.ended = True
        self.thread = None
        self._end(status)

    @guarded
    def _end(self, status):
        if not self.known_optimizers and self.sources:
            self.finish_step(NAN)
        if not self.started and sharing.others(self):
            return
        self.start()
        self.tell_outside()
        if self.step == 0 and self.layers.all:
            self.layers.tell(self.stream, self.optimised)
        self.stream.event("end", status=status, steps=self.step)
        self.stream.flush()

    def flush(self):
        if self.on and self.started:
            self.stream.flush()

    def in_child(self):
        self.on = False
        self.stream.open = False
        self.stream.buffer.clear()


def _tensor(value):
    if isinstance(value, np.ndarray):
        return value
    found = arrays.first_tensor(value)
    if found is None and isinstance(value, (list, tuple)):
        try:
            array = np.asarray(value)
        except ValueError:
            return None
        return array if array.dtype.kind in "fiub" else None
    return found


def _array(value):
    if value is None or isinstance(value, np.ndarray):
        return value
    return arrays.array_of(value) if arrays.is_real(value) else None


def _constant(value):
    """An array that the program gave in place of a tensor of the graph."""
    return value if isinstance(value, np.ndarray) else _array(value)


def _losses_of(targets):
    """What is minimised: of several, those with one value."""
    known = [array for array in targets if array is not None and array.dtype.kind == "f"]
    return [float(array.sum()) for array in known if array.size == 1 or len(known) == 1]


def _number(value):
    value = value.numpy() if hasattr(value, "numpy") else value
    try:
        return float(value)
    except (TypeError, ValueError):
        return NAN


def _loss_among(result, record):
    """The loss, if the function returns it."""
    if isinstance(result, dict) and "loss" in result:
        return _number(result["loss"])
    graph = record.graph()
    outputs = list(getattr(graph, "outputs", ()) or ()) if graph is not None else []
    flat = [part for part in tf.nest.flatten(result, expand_composites=True) if arrays.is_tensor(part)]
    if len(flat) != len(outputs):
        return None
    wanted = {id(target) for target in record.targets}
    for output, part in zip(outputs, flat, strict=True):
        origin_ = output.op.inputs[0] if output.op.type == "Identity" and len(output.op.inputs) else output
        if id(origin_) in wanted and part.shape.rank == 0:
            return _number(part)
    return None


def _plain_attributes(optimizer):
    return {name.lstrip("_"): value for name, value in vars(optimizer).items()
            if isinstance(value, (bool, int, float)) and not name.startswith("__")}


def _where(error):
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}" if trace else ""
