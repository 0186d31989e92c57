"""What of torch is wrapped. Each wrapper tells the recorder and calls the original."""

import atexit
import functools
import os
import sys
import types

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from . import losses, schedule
from .recorder import Recorder
from .stream import Stream


def install(module, descriptor, every):
    stream = Stream.out_of_reach(descriptor)
    recorder = Recorder(stream, every)
    stream.event("start", framework="torch", version=str(torch.__version__), command=_command(),
                 every=every or schedule.EVERY)
    os.register_at_fork(before=recorder.flush, after_in_child=recorder.in_child)
    atexit.register(_at_exit, recorder)
    _modules(recorder)
    _losses(recorder)
    _backward(recorder)
    _optimizers(recorder)
    _loaders(recorder)


def _command():
    return [sys.executable, *(sys.orig_argv[1:] or sys.argv)]


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
        if recorder.in_backward:
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

    recorder.in_backward = False
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
