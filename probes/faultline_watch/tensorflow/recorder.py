"""Follows the program through its training steps and writes down what it sees.

A step ends when an optimizer has applied gradients, or a compiled function has returned in which one does. Steps that
are *checks* are looked at closely. Between checks a step costs a counter and the value of the loss.
"""

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
from . import arrays, graphs, losses
from .compiled import Compiled
from .fits import Fits
from .guard import guarded
from .layers import Layers, is_recurrent, settings_of
from .places import Places
from .sessions import Sessions
from .tracer import EagerTracer

NAN = math.nan
MOST_DANGEROUS = 100  # steps beside the schedule that are looked at because the loss has grown
DANGER = 2.0          # times the first losses


def is_recording():
    """Whether a gradient tape sees what is computed."""
    return not pywrap_tfe.TFE_Py_TapeSetIsEmpty() and not pywrap_tfe.TFE_Py_TapeSetIsStopped()


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
        self.optimizers = weakref.WeakKeyDictionary()  # and where they were made
        self.known_optimizers = weakref.WeakSet()
        self.optimised = set()    # keys of the variables that an optimizer has
        self.rate = NAN
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
        self.values_now = {}      # of the variables of a session, by id
        self.tracer = EagerTracer(self)
        self.fits = Fits(self)
        self.compiled = Compiled(self)
        self.sessions = Sessions(self)
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
        if not self.started and sharing.others(self):
            return  # it is another library that trains, maybe
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
        return self.step > 0 and not self.fits.evaluating and not self.fits.is_running() and not is_recording()

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
            self.take_output(known, arrays.array_of(source) if arrays.is_float(source) else None,
                             arrays.array_of(result) if arrays.is_float(result) else None)

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
        if not self.watches() or not arrays.is_float(output):
            return
        eager = tf.executing_eagerly()
        layer = self.layers.of_function(name, self.places.here())
        if eager:
            self.note_feeding(layer, source, output)
            floats = arrays.array_of(source) if arrays.is_float(source) else None
            self.take_output(layer, floats, arrays.array_of(output))
        else:
            graph = framework.get_default_graph()
            record = graphs.record_of(graph)
            if record.own(output):
                record.calls.append((layer, source, output, graph.version - 1, graph.version))

    # Losses.

    @guarded
    def loss_called(self, kind, reduction, target, prediction, result, squeezes=True):
        if self.fits.evaluating:
            return
        site = self.fits.site() or self.places.here()
        prediction, target = arrays.first_tensor(prediction), arrays.given(target)
        use = losses.Use(kind, site, reduction, target, prediction, squeezes)
        if not tf.executing_eagerly():
            record = graphs.record_of(framework.get_default_graph())
            if self.watches() and record.own(prediction):
                record.uses.append(use)
            return
        if is_recording():
            self.loss_seen = True
            if self.checking:
                self.tell_loss(use, arrays.known(target), arrays.known(prediction), arrays.known(self.root_input))
        elif not self.fits.is_running() and self.step > 0 and result is not None:
            self.evaluated_outside(use, arrays.known(target), arrays.known(prediction), result)

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
        value = arrays.known(result)
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
        if target is None or self.fits.evaluating:
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
        self.values += arrays.losses_of([arrays.array_of(target)])
        if not self.known_optimizers:
            self.sources = [source for source in tf.nest.flatten(sources) if isinstance(source, tf.Variable)]
        if self.checking and not self.loss_seen and schedule.usual(self.step):
            self.loss_seen = True
            self.own_loss(self.places.here(), arrays.known(self.root_input))
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
            self.compiled.applied(optimizer, pairs)
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
                array = gradient if isinstance(gradient, np.ndarray) else arrays.known(gradient)
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
        epoch = self.fits.epoch if self.fits.is_running() else self.epochs.at(self.step, 1)
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
            self.layers.tell(self.stream, self.optimised)  # the finding names one
            self.stream.event("nonfinite", step=self.step, **found)


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


def _plain_attributes(optimizer):
    return {name.lstrip("_"): value for name, value in vars(optimizer).items()
            if isinstance(value, (bool, int, float)) and not name.startswith("__")}


def _where(error):
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}" if trace else ""
