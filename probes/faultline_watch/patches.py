"""What of torch is wrapped. Each wrapper tells the recorder and calls the original."""

import atexit
import functools
import os
import sys
import types
from threading import get_ident

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from . import losses, schedule, sharing
from .recorder import Recorder


def install(module, descriptor, every):
    stream = sharing.stream(descriptor)
    recorder = Recorder(stream, every)
    sharing.joins(recorder)
    stream.event("start", framework="torch", version=str(torch.__version__), command=sharing.command(),
                 every=every or schedule.EVERY)
    os.register_at_fork(before=recorder.flush, after_in_child=recorder.in_child)
    atexit.register(_at_exit, recorder)
    _modules(recorder)
    _losses(recorder)
    _backward(recorder)
    _optimizers(recorder)
    _loaders(recorder)
    _modes(recorder)
    _gradient_modes(recorder)
    _resizing(recorder)
    _comparing(recorder)
    _loading(recorder)


def _at_exit(recorder):
    error = getattr(sys, "last_value", None)
    failed = isinstance(error, Exception)
    if failed:
        recorder.crashed(error)
    recorder.end(1 if failed else 0)


def _modules(recorder):
    construct = torch.nn.Module.__init__

    @functools.wraps(construct)
    def __init__(self, *args, **kwargs):
        construct(self, *args, **kwargs)
        recorder.module_made(self)

    torch.nn.Module.__init__ = __init__


def _losses(recorder):
    for kind in losses.NAMES:
        original = getattr(F, kind, None)
        if original is None:
            continue
        wrapper = _loss(recorder, kind, original)
        recorder.mode.originals[wrapper] = original
        setattr(F, kind, wrapper)


def _loss(recorder, kind, original):
    def loss(*args, **kwargs):
        result = original(*args, **kwargs)
        recorder.loss_called(kind, args, kwargs, result)
        return result

    # The names that the wrapper sees are those of the original, and its source is: torch.jit compiles
    # a function by name and source.
    seen = types.FunctionType(loss.__code__, original.__globals__, kind, None, loss.__closure__)
    return functools.update_wrapper(seen, original)


def _backward(recorder):
    method = torch.Tensor.backward
    function = torch.autograd.backward

    def tell_and_call(tensor, call):
        """A backward pass inside another one, as of torch.utils.checkpoint, is no new loss."""
        if recorder.in_backward or recorder.is_foreign(get_ident()):
            return call()
        recorder.before_backward(tensor)
        recorder.in_backward = True
        try:
            return call()
        finally:
            recorder.in_backward = False

    @functools.wraps(method)
    def backward(self, *args, **kwargs):
        return tell_and_call(self, lambda: method(self, *args, **kwargs))

    @functools.wraps(function)
    def autograd_backward(tensors, *args, **kwargs):
        single = tensors if isinstance(tensors, torch.Tensor) else tensors[0] if len(tensors) == 1 else None
        return tell_and_call(single, lambda: function(tensors, *args, **kwargs))

    torch.Tensor.backward = backward
    torch.autograd.backward = autograd_backward


def _optimizers(recorder):
    Optimizer = torch.optim.Optimizer
    construct = Optimizer.__init__
    zero, zero_of_module = Optimizer.zero_grad, torch.nn.Module.zero_grad

    @functools.wraps(construct)
    def __init__(self, *args, **kwargs):
        construct(self, *args, **kwargs)
        _wrap_step(recorder, type(self))
        recorder.optimizer_made(self)

    @functools.wraps(zero)
    def zero_grad(self, *args, **kwargs):
        zero(self, *args, **kwargs)
        recorder.zero_grad_called()

    @functools.wraps(zero_of_module)
    def zero_grad_of_module(self, *args, **kwargs):
        zero_of_module(self, *args, **kwargs)
        recorder.zero_grad_called()

    Optimizer.__init__ = __init__
    Optimizer.zero_grad = zero_grad
    torch.nn.Module.zero_grad = zero_grad_of_module


def _wrap_step(recorder, kind):
    original = kind.step
    if getattr(original, "watched", False):
        return

    @functools.wraps(original)
    def step(self, *args, **kwargs):
        recorder.before_step(self)
        try:
            result = original(self, *args, **kwargs)
        except BaseException:
            recorder.stepping = 0
            raise
        recorder.after_step(self)
        return result

    step.watched = True
    kind.step = step


def _loaders(recorder):
    start = DataLoader.__iter__

    @functools.wraps(start)
    def __iter__(self):
        recorder.loader_started(self)
        return start(self)

    DataLoader.__iter__ = __iter__


def _modes(recorder):
    train = torch.nn.Module.train

    @functools.wraps(train)
    def train_or_evaluate(self, mode=True):
        recorder.look(recorder.uses.mode_changed, bool(mode))
        return train(self, mode)

    torch.nn.Module.train = train_or_evaluate


def _gradient_modes(recorder):
    """Entering and leaving of torch.no_grad and inference_mode, where no optimizer does it."""

    def tell():
        if not recorder.stepping and not recorder.in_backward:
            recorder.look(recorder.uses.evaluated.gradients_off, not torch.is_grad_enabled())

    def wrap(scope, name):
        original = getattr(scope, name)

        @functools.wraps(original)
        def changed(self, *args):
            result = original(self, *args)
            tell()
            return result

        setattr(scope, name, changed)

    for scope in (torch.no_grad, torch.inference_mode):
        wrap(scope, "__enter__")
        wrap(scope, "__exit__")

    set_mode = torch.set_grad_enabled.__init__

    @functools.wraps(set_mode)
    def __init__(self, mode):
        set_mode(self, mode)
        tell()

    torch.set_grad_enabled.__init__ = __init__
    wrap(torch.set_grad_enabled, "__exit__")


def _resizing(recorder):
    original = F.interpolate

    def interpolate(*args, **kwargs):
        result = original(*args, **kwargs)
        recorder.look(recorder.uses.resized, args, kwargs, result)
        return result

    seen = types.FunctionType(interpolate.__code__, original.__globals__, "interpolate", None, interpolate.__closure__)
    wrapper = functools.update_wrapper(seen, original)
    recorder.mode.originals[wrapper] = original
    F.interpolate = wrapper


def _comparing(recorder):
    comparisons = recorder.uses.comparisons
    method, function = torch.Tensor.__eq__, torch.equal

    @functools.wraps(method)
    def __eq__(self, other):
        result = method(self, other)
        frame = sys._getframe(1)
        if recorder.idle() and comparisons.wants(frame):
            recorder.look(comparisons.compared, self, other, result, frame)
        return result

    @functools.wraps(function)
    def equal(input, other):
        result = function(input, other)
        if isinstance(input, torch.Tensor) and isinstance(other, torch.Tensor):
            frame = sys._getframe(1)
            if recorder.idle() and comparisons.wants(frame):
                recorder.look(comparisons.whole_compared, input, other, frame)
        return result

    torch.Tensor.__eq__ = __eq__
    torch.equal = equal
    recorder.mode.originals[equal] = function
    torch.jit._builtins._register_builtin(equal, "aten::equal")  # torch.jit knows operators by their functions


def _loading(recorder):
    """Weights that are read from a file are finished, maybe, and need no training."""

    def wrap(owner, name):
        original = getattr(owner, name)

        @functools.wraps(original)
        def load(*args, **kwargs):
            if not recorder.step:  # later they are its own, of a better epoch
                recorder.layers.loaded = True
            return original(*args, **kwargs)

        setattr(owner, name, load)

    wrap(torch, "load")
    wrap(torch.nn.Module, "load_state_dict")
