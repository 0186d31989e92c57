"""Follows the program through its training steps and writes down what it sees.

A step ends when an optimizer has stepped. Steps that are *checks* are looked at closely: module
hooks and the mode of mode.py are there for them and gone afterwards. Between checks a step costs a
counter and the value of the loss.
"""

import functools
import math
import os
import threading
import time
import weakref
from threading import get_ident

import torch
from torch import nn
from torch.nn.modules import module as nn_module

from . import facts, losses, schedule, sharing
from .epochs import Epochs
from .experiments import EXPERIMENTS, Tape
from .idle_optimizers import IdleOptimizers
from .layers import Layers
from .mode import ACTIVATIONS, CheckMode, pause, resume
from .nonfinite import Tracer
from .resident import resident_kib
from .sites import Sites
from .statistics import GRADIENT, INPUT, OUTPUT, WEIGHT, Batch, array_of
from .twin import Twins
from .uses import DIFFERENCES, TARGET_STEPS, Uses

NAN = math.nan
# No layers: the function that a loss calls is the loss, and compiled modules are closed.
CLOSED = (nn.modules.loss._Loss, torch.jit.ScriptModule)
# In evaluation these are one function, unless some mode sees what is called.
FUSED = (nn.TransformerEncoder, nn.TransformerEncoderLayer, nn.MultiheadAttention)
PATIENCE = 50  # calls of models in one check without a step: no training


def first_tensor(value):
    if isinstance(value, torch.Tensor):
        return value
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for part in value:
            found = first_tensor(part)
            if found is not None:
                return found
    return None


def guarded(method):
    """An error of the probe ends the recording, never the program. Threads that do not train are not looked at."""
    return _guard(method, False)


def guarded_anywhere(method):
    """The same for what any thread may do: make layers, start loaders, end."""
    return _guard(method, True)


def _guard(method, anywhere):
    @functools.wraps(method)
    def call(self, *args, **kwargs):
        me = get_ident()
        if not self.on or self.busy == me or not anywhere and self.is_foreign(me):
            return None
        with self.lock:
            self.busy = me
            paused = pause()
            try:
                return method(self, *args, **kwargs)
            except Exception as error:
                self.give_up(error)
                return None
            finally:
                self.busy = None
                resume(paused)

    return call


class Recorder:
    def __init__(self, stream, every):
        self.stream = stream
        self.every = every
        self.experiments = os.environ.get("FAULTLINE_WATCH_EXPERIMENTS") != "0"
        self.on = True
        self.busy = None          # the thread that is in the probe
        self.lock = threading.Lock()
        self.thread = get_ident()
        self.began = time.monotonic()
        self.sites = Sites(os.path.dirname(os.path.abspath(torch.__file__)))
        self.layers = Layers(self.sites)
        self.epochs = Epochs(self.sites)
        self.evaluations = losses.Evaluations()
        self.mode = CheckMode(self)
        self.batch = Batch()
        self.twins = Twins(self)
        self.uses = Uses(self)
        self.in_backward = False
        self.tracer = None
        self.optimizers = []      # weak references
        self.optimised = set()    # ids of the parameters that an optimizer has or had
        self.idle_optimizers = IdleOptimizers(self.uses.say)
        self.loss_sites = {}         # file and line: the step when it was last said
        self.step = 0
        self.zero_grads = 0
        self.penalties = []
        self.backwards = 0
        self.samples = 0
        self.stepping = 0
        self.hooks = []
        self.aside = None         # the module that the mode was left for
        self.checking = False
        self.ended = False
        self.incident = None      # the step of the first value that was not finite
        self.plain = False        # this step is only counted
        self.next_look = 0        # the next step that is not
        self.begin_step()

    # What the program is in the middle of.

    def begin_step(self):
        if self.plain and self.step < self.next_look:  # as the step before: nothing but these was touched
            self.values.clear()
            self.loss_seen = False
            self.backwards_here = 0
            return
        later = [at for at in EXPERIMENTS if at > self.step]
        self.next_look = min([schedule.next_after(self.step, self.every), *later])
        self.values = []          # of the loss
        self.accuracy = NAN
        self.root = self.root_input = None  # the module that was called first, and with what
        self.root_output = None   # its shape
        self.loss_site = None
        self.loss_seen = False
        self.stack = []           # modules that are being called
        self.random = None        # state of the generator before the model was called
        self.seen = set()         # layers whose output has been taken
        self.root_calls = 0
        self.before = {}
        self.backwards_here = 0
        self.batch.clear()
        self.tape = Tape() if self.step in EXPERIMENTS and self.experiments and not self.twins.inside else None
        self.checking = schedule.due(self.step, self.every) and not self.twins.inside
        self.tracer = None
        if self.twins.traces(self.step) or (self.checking and self.twins.impossible and self.incident is None):
            self.tracer = Tracer(self)
        if self.checking or self.tracer is not None:
            self.add_hooks()
        if self.twins.inside and self.tracer is not None:
            self.mode.enter()
        self.plain = not (self.checking or self.tape or self.tracer or self.twins.inside)

    def add_hooks(self):
        if not self.hooks:
            self.hooks = [nn_module.register_module_forward_pre_hook(self.before_module),
                          nn_module.register_module_forward_hook(self.after_module)]

    def abandon_check(self):
        """The program calls its models again and again and never trains them."""
        self.end_check()
        self.mode.leave()
        self.checking, self.tape, self.tracer = False, None, None

    def end_check(self):
        for hook in self.hooks:
            hook.remove()
        self.hooks = []
        self.stack = []

    def give_up(self, error):
        self.on = False
        self.end_check()
        self.uses.forget_states()
        self.uses.evaluated.stop()
        self.mode.leave()
        self.tape = self.tracer = None
        self.stream.event("problem", message=f"{type(error).__name__}: {error} ({_where(error)})")
        self.stream.flush()

    def idle(self):
        """Whether what happens now is the program's doing."""
        return self.on and self.busy != get_ident()

    def is_foreign(self, thread):
        """Whether it is known who trains, and that is not this thread."""
        return thread != self.thread and bool(self.step or self.backwards)

    def watches_now(self):
        if self.step == 0 and self.backwards == 0 and torch.is_grad_enabled():
            self.thread = get_ident()  # whoever trains first
        return torch.is_grad_enabled() and torch._C._get_tracing_state() is None and get_ident() == self.thread

    def enter(self):
        """The program begins to compute a step."""
        if self.step == 0:
            self.twins.prepare()
            if self.twins.impossible and self.tracer is None:
                self.tracer = Tracer(self)
        if not self.twins.inside or self.tracer is not None:
            self.aside = None
            self.mode.enter()

    def step_aside(self, module):
        """Leave the mode for a module that would compute otherwise, and give other numbers, if one is there."""
        if not self.mode.on or module.training or self.aside is not None or get_ident() != self.thread:
            return
        if torch.is_grad_enabled() and any(parameter.requires_grad for parameter in module.parameters()):
            return  # it takes the long way anyhow
        self.mode.leave()
        if not self.mode.on:
            self.aside = id(module)

    def come_back(self, module):
        if self.aside == id(module):
            self.aside = None
            self.mode.enter()

    # Modules.

    @guarded_anywhere
    def module_made(self, module):
        self.layers.note_made(module)

    def before_module(self, module, inputs):
        if not self.idle() or isinstance(module, CLOSED):
            return
        if self.watches_now():
            self._before_module(module, inputs)
        if isinstance(module, FUSED):
            self.step_aside(module)

    @guarded
    def _before_module(self, module, inputs):
        if not self.stack:
            if not self.optimizers and self.backwards_here:
                self.finish_step(NAN)  # the weights were changed by hand
                if not self.checking:
                    return
            self.root_calls += 1
            if self.root_calls > PATIENCE:
                self.abandon_check()
                return
            self.layers.adopt(module)
            self.enter()
            self.random = torch.get_rng_state() if self.tape is not None else None
            tensor = first_tensor(inputs)
            if tensor is not None and self.root_input is None:
                self.root, self.root_input = module, tensor
                if tensor.dim():
                    self.samples = tensor.shape[0]
                self.epochs.input_seen(tensor, self.step)
        self.stack.append((module, inputs))

    def after_module(self, module, inputs, output):
        if not self.idle() or isinstance(module, CLOSED):
            return
        if self.stack and self.watches_now():
            self._after_module(module, inputs, output)
        if self.aside is not None:
            self.come_back(module)

    @guarded
    def _after_module(self, module, inputs, output):
        while self.stack and self.stack.pop()[0] is not module:
            pass
        if not self.stack and self.tape is not None and self.random is not None:
            self.tape.called(module, inputs, {}, output, self.random)
        if not self.stack:
            tensor = first_tensor(output)
            self.root_output = tuple(tensor.shape) if tensor is not None else None
            if self.checking and self.root_input is not None:
                self.uses.root_called(self.root_input, tensor)
        layer = self.layers.of_module(module, inside=bool(self.stack))
        if layer is not None and self.checking:
            self.take_output(layer, inputs, output)
            if isinstance(module, nn.RNNBase):
                self.uses.recurrent_called(layer, module, output)

    def take_output(self, layer, inputs, output):
        first = not self.seen
        self.layers.called(layer)
        if layer.id in self.seen:
            return
        self.seen.add(layer.id)
        if first:
            tensor = first_tensor(inputs)
            array = array_of(tensor) if tensor is not None and tensor.is_floating_point() else None
            if array is not None:
                self.batch.add(layer.id, INPUT, 0, array)
        tensor = first_tensor(output)
        array = array_of(tensor) if tensor is not None and tensor.is_floating_point() else None
        if array is not None:
            self.batch.add(layer.id, OUTPUT, 0, array, layer.kind.lower())

    # Functions of torch, while the mode is on.

    @guarded
    def before_function(self, name, args, kwargs):
        self.tracer.before(name, args, kwargs)

    @guarded
    def function_called(self, function, name, args, kwargs, result):
        if self.tracer is not None:
            self.tracer.after(name, args, kwargs, result, self.stack)
        if not self.watches_now():
            return
        if self.checking:
            if name in DIFFERENCES:
                self.uses.subtracted(args, result)
            elif name == "__getitem__":
                self.uses.indexed(args)
            elif name == "softmax":
                self.uses.normalised(args, kwargs)
            elif name in ("masked_fill", "masked_fill_", "where"):
                self.uses.masked(result)
        if self.tape is not None and not self.stack:
            self.tape.called(function, args, kwargs, result)
        if self.checking and name in ACTIVATIONS and self.sites.program_called():
            settings = {"dim": kwargs.get("dim", args[1] if len(args) > 1 else None)} if "softm" in name else {}
            layer = self.layers.of_function(name.rstrip("_"), settings)
            self.take_output(layer, args, result)

    # Losses.

    @guarded
    def loss_called(self, kind, args, kwargs, result):
        if get_ident() != self.thread or self.twins.inside:
            return
        if not torch.is_grad_enabled():
            prediction = losses.prediction_and_target(args, kwargs)[0]
            if prediction is None or not prediction.requires_grad:  # else a metric of what is trained on
                self.evaluations.add(kind, args, kwargs, result, self.sites.here, self.left_in_training)
            return
        self.loss_seen = True
        if self.step < TARGET_STEPS:
            self.uses.targets_seen(args, kwargs)
        if not self.checking:
            return
        prediction, target = losses.prediction_and_target(args, kwargs)
        if prediction is not None and target is not None:
            share = facts.accuracy(prediction, target, kind)
            self.accuracy = NAN if share is None else share
        site = self.loss_site = self.sites.here()
        key = (site["file"], site["line"])
        if self.root_input is not None and schedule.usual(self.step):
            self.uses.evaluated.trained_on(self.root, self.root_input)
        if self.loss_sites.get(key) == self.step or key in self.loss_sites and not schedule.usual(self.step):
            return
        self.loss_sites[key] = self.step
        event = {"step": self.step, "kind": kind, "site": site, "reduction": losses.reduction_of(kind, kwargs),
                 "evaluating": False}
        whole = self.step < 5 or self.step % schedule.EVERY == 0  # data seldom change, looking costs
        if self.root_input is not None and whole:
            event["input"] = facts.of_input(self.root_input)
        if prediction is not None:
            event["prediction"] = facts.of_prediction(prediction)
        if target is not None and whole:
            classes = prediction.shape[1] if prediction is not None and prediction.dim() > 1 else None
            event["target"] = facts.of_target(target, classes)
            self.uses.loss_called(kind, args, kwargs, prediction, target, self.root_output)
        self.stream.event("loss", **event)

    # How the library is used.

    @guarded
    def look(self, work, *args):
        if not self.twins.inside and get_ident() == self.thread:
            work(*args)

    def left_in_training(self):
        for root in list(self.layers.roots.values()):
            model = root()
            for part in model.modules() if model is not None else ():
                if part.training and isinstance(part, (nn.modules.dropout._DropoutNd,
                                                       nn.modules.batchnorm._BatchNorm)):
                    return True
        return False

    @guarded
    def before_backward(self, tensor):
        if self.step == 0 and self.backwards == 0:
            self.thread = get_ident()
        if get_ident() != self.thread:
            return
        self.mode.leave()
        self.stack.clear()
        self.root_calls = 0
        if not self.optimizers and self.backwards_here:
            self.finish_step(NAN)
        self.backwards += 1
        self.backwards_here += 1
        if tensor is None or tensor.numel() != 1:
            return
        value = tensor.item()
        self.values.append(value)
        if self.twins.inside:
            if self.tracer is not None:
                self.tracer.before_backward(tensor)
            return
        self.evaluations.tell(self.stream, self.step)
        if self.checking and not self.loss_seen and schedule.usual(self.step):
            self.loss_seen = True
            self.own_loss(tensor)
        if not math.isfinite(value):
            self.not_finite(tensor)
        elif self.tracer is not None:
            self.tracer.before_backward(tensor)
        if self.tape is not None:
            tape, self.tape = self.tape, None
            if math.isfinite(value):
                self.twins.experiment(tape, tensor, value, self.step)

    def own_loss(self, tensor):
        """A loss of the program's own making."""
        event = {"step": self.step, "kind": "", "site": self.sites.here(), "reduction": "", "evaluating": False}
        if self.root_input is not None:
            event["input"] = facts.of_input(self.root_input)
            self.uses.evaluated.trained_on(self.root, self.root_input)
        self.stream.event("loss", **event)

    def not_finite(self, tensor=None):
        if self.incident is not None:
            return
        self.incident = self.step
        if self.tracer is not None and tensor is not None:
            found = self.tracer.blame(tensor)
            if found:
                self.stream.event("nonfinite", **found)
                return
        self.twins.trace(self.step)

    # Optimizers.

    @guarded_anywhere
    def optimizer_made(self, optimizer):
        site = self.sites.here(made=optimizer)
        self.optimizers.append(weakref.ref(optimizer))
        self.learn_parameters()
        self.idle_optimizers.made(optimizer, site)
        settings = {}
        for name, value in optimizer.defaults.items():
            if isinstance(value, (bool, int, float, str)):
                settings[name] = value
            elif isinstance(value, tuple):
                settings[name] = list(value)
        self.stream.event("optimizer", kind=type(optimizer).__name__, site=site, settings=settings)

    def learn_parameters(self):
        self.optimised.update(id(parameter) for reference in self.optimizers
                              for group in getattr(reference(), "param_groups", ())
                              for parameter in group["params"])

    def zero_grad_called(self):
        self.zero_grads += 1
        if self.checking or self.tracer is not None:
            self._step_begins()

    @guarded
    def _step_begins(self):
        """What the program does next belongs to a step: let the mode see it."""
        self.stack.clear()
        if self.tape is not None and not self.tape.models():
            self.tape = Tape()
        if self.watches_now() and not self.backwards_here:
            self.enter()

    @guarded
    def before_step(self, optimizer):
        if get_ident() != self.thread:
            return
        self.stepping += 1
        if self.stepping > 1:
            return
        self.mode.leave()
        if self.tracer is not None:
            self.tracer.before_step(optimizer)
        self.uses.parts.stepped(optimizer)
        self.idle_optimizers.stepped(optimizer)
        if self.checking:
            self.learn_parameters()
            self.take_weights({id(p) for group in optimizer.param_groups for p in group["params"]})
            if self.step < 5:
                self.weigh_penalty(optimizer)

    def weigh_penalty(self, optimizer):
        """Norms of the gradients of the data and of the penalty on the weights, at the first five steps."""
        data = penalty = 0.0
        for group in optimizer.param_groups:
            decay = group.get("weight_decay", 0)
            for parameter in group["params"]:
                if parameter.grad is not None and isinstance(decay, (int, float)):
                    data += float(parameter.grad.detach().pow(2).sum())
                    penalty += decay ** 2 * float(parameter.detach().pow(2).sum())
        self.penalties.append((math.sqrt(data), math.sqrt(penalty)))
        if len(self.penalties) == 5 and penalty > 0 and type(optimizer).__name__ != "AdamW":
            self.stream.event("experiment", name="regulariser", values={
                "data": [data for data, _ in self.penalties], "penalty": [penalty for _, penalty in self.penalties]})

    def take_weights(self, own=()):
        for layer in self.layers.all:
            for slot, parameter in layer.parameters():
                if own and id(parameter) in self.optimised and id(parameter) not in own:
                    continue
                array = array_of(parameter)
                if array is None:
                    continue
                self.before[layer.id, slot] = self.batch.add(layer.id, WEIGHT, slot, array)
                array = array_of(parameter.grad) if parameter.grad is not None else None
                if array is not None:
                    self.batch.add(layer.id, GRADIENT, slot, array)

    @guarded
    def after_step(self, optimizer):
        if get_ident() != self.thread:
            return
        self.stepping = max(0, self.stepping - 1)
        if self.stepping:
            return
        if self.tracer is not None:
            self.tracer.after_step(optimizer)
        groups = optimizer.param_groups
        self.finish_step(groups[0]["lr"] if groups and "lr" in groups[0] else NAN)

    def finish_step(self, rate):
        if self.twins.inside:
            self.step += 1
            self.end_check()
            self.twins.step_done(self.step, 0.0)
            self.begin_step()
            return
        if self.checking:
            self.finish_check()
        loss = sum(self.values) / len(self.values) if self.values else NAN
        try:
            rate = float(rate)
        except (TypeError, ValueError):
            rate = NAN
        now = time.monotonic()
        self.stream.step(self.step, self.epochs.at(self.step, 1), loss, rate, self.accuracy, now, now - self.began,
                         self.samples)
        if self.step == 0:
            sharing.trains(self)
        self.step += 1
        self.twins.step_done(self.step, now)
        self.begin_step()

    def finish_check(self):
        if not self.optimizers:
            self.take_weights()
        for layer in self.layers.all:
            for slot, parameter in layer.parameters():
                before = self.before.get((layer.id, slot))
                array = array_of(parameter) if before is not None else None
                if array is not None and self.optimizers:
                    self.batch.add_change(layer.id, slot, array, before)
        self.layers.tell(self.stream, self.optimised)
        self.uses.tell_reads()
        frames, finite = self.batch.frames(self.step)
        self.stream.raw(frames)
        self.stream.event("check", step=self.step, memory_kib=resident_kib(), tensors=0)
        if not finite:
            self.not_finite()
        if self.step == 10:
            self.tell_zero_grads(11)
        self.end_check()

    def tell_zero_grads(self, steps):
        self.stream.event("experiment", name="zero-grad", values={
            "calls": self.zero_grads, "steps": steps, "backwards": self.backwards})

    @guarded_anywhere
    def loader_started(self, loader):
        self.epochs.loader_started(loader)
        self.uses.parts.loader_started(loader)

    # The end.

    @guarded_anywhere
    def crashed(self, error):
        from . import crash

        self.end_check()
        event = crash.describe(error, self.sites, self.layers)
        self.layers.tell(self.stream, self.optimised)
        if event is not None:
            self.stream.event("crash", **event)

    @guarded_anywhere
    def end(self, status):
        if self.ended:
            return
        self.ended = True
        if not self.optimizers and self.backwards_here:
            self.finish_step(NAN)
        self.end_check()
        if self.step == 0 and self.layers.all:
            self.layers.tell(self.stream, self.optimised)
        self.evaluations.tell(self.stream, self.step)
        self.uses.evaluated.stop()
        self.uses.evaluated.tell_noisy()
        self.uses.comparisons.tell()
        self.idle_optimizers.tell(self.step)
        if self.step and self.step <= 10:
            self.tell_zero_grads(self.step)
        self.twins.finish()
        self.stream.event("end", status=status, steps=self.step)
        self.stream.flush()

    def withdraw(self):
        """Another library of the process trains."""
        if self.on and self.step == 0:
            self.on = False
            self.end_check()
            self.mode.leave()
            self.stream.event("end", status=0, steps=0)
            self.stream.flush()

    def flush(self):
        """Before the program forks or may hang: what is known is said."""
        if self.on:
            self.stream.flush()

    def in_child(self):
        """A child of the program does not record."""
        self.on = False
        self.stream.open = False
        self.stream.buffer.clear()


def _where(error):
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}" if trace else ""
