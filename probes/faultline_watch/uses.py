"""How the program uses the library, where that may be a mistake: said once for each line as a rule.

Nothing is judged here; the symptoms of `faultline symptoms` do that.
"""

import math
import weakref

import numpy as np
import torch
from torch import nn

from . import losses, padding
from .comparisons import Comparisons
from .evaluated import Evaluated
from .parts import Parts
from .statistics import array_of
from .tensors import tensors_in

FIRST_STEPS = 3          # of a training: recurrent layers are looked at
TARGET_STEPS = 1000      # whose targets are compared with those of the step before
LONG_STATE = 64          # calls in a row that hand their state on
TAIL = 8                 # samples at the end of a batch
VARIOUS = 3              # different ones among them, lest they are padding
UNLIKELY = 1e-9          # that samples of a batch are by chance those of the batch before
MOST_TARGETS = 1 << 14
MOST_LOSSES = 16         # lines whose targets are remembered
MOST_LABELS = 64
MOST_BLENDS = 200
MOST_SCORES = 1 << 22
HIDDEN = -1e4
DIFFERENCES = frozenset(["sub", "__sub__", "__rsub__", "rsub", "subtract"])
BLENDING = ("linear", "bilinear", "bicubic", "trilinear", "area")


class Uses:
    def __init__(self, recorder):
        self.recorder = recorder
        self.said = set()
        self.reads = {}      # id of a recurrent layer's result: what is known of it
        self.states = {}     # id of a module: what its last call in evaluation mode gave, how many calls in a row
        self.targets = {}    # line of a loss: targets of the step before
        self.target_count = None  # entries of the target of the last loss that was looked at
        self.blends = 0
        self.root_calls = 0  # of modules that no other module called
        self.hooks = []
        self.last_mask = None
        self.parts = Parts(recorder.sites, self.say)
        self.evaluated = Evaluated(recorder, self.say, self.parts)
        self.comparisons = Comparisons(recorder, self.say)

    def say(self, name, site, again=None, **values):
        """`again`: what makes another observation of the same line a new one."""
        key = (name, site["file"], site["line"], again)
        if site["line"] and key not in self.said:
            self.said.add(key)
            self.recorder.stream.event("observation", name=name, step=self.recorder.step, site=site, values=values)

    # Recurrent layers: which time steps of their result the loss depends on.

    def recurrent_called(self, layer, module, output):
        if self.recorder.step >= FIRST_STEPS or not isinstance(output, tuple) or len(output) != 2:
            return
        sequence = output[0]
        state = output[1][0] if isinstance(output[1], tuple) else output[1]
        if not isinstance(sequence, torch.Tensor) or sequence.dim() != 3 or not sequence.requires_grad:
            return
        read = {"layer": layer.id, "called": self.recorder.sites.here(), "site": None, "times": None, "samples": None,
                "layers": None, "time": 1 if module.batch_first else 0, "shape": list(sequence.shape),
                "bidirectional": bool(module.bidirectional), "num_layers": int(module.num_layers),
                "tensor": weakref.ref(sequence)}
        self.reads[id(sequence)] = read
        look = self.recorder.look
        sequence.register_hook(lambda gradient: look(self._sequence_read, read, gradient))
        if isinstance(state, torch.Tensor) and state.requires_grad:
            state.register_hook(lambda gradient: look(self._state_read, read, gradient))

    def _sequence_read(self, read, gradient):
        array = array_of(gradient)
        if array is not None:
            used = array != 0
            time = read["time"]
            read["times"] = np.flatnonzero(used.any(axis=(1 - time, 2))).tolist()
            read["samples"] = int(used.any(axis=(time, 2)).sum())

    def _state_read(self, read, gradient):
        array = array_of(gradient)
        if array is not None:
            used = (array != 0).any(axis=(1, 2))
            read["layers"] = np.flatnonzero(used.reshape(read["num_layers"], -1).any(axis=1)).tolist()

    def indexed(self, args):
        """The program takes a part of a tensor."""
        read = self.reads.get(id(args[0])) if self.reads else None
        if read is not None and read["site"] is None and read["tensor"]() is args[0]:
            read["site"] = self.recorder.sites.here()

    def tell_reads(self):
        reads, self.reads = self.reads, {}
        calls = [read["layer"] for read in reads.values()]
        for read in reads.values():
            if calls.count(read["layer"]) > 1:  # a loop of the program's own goes over the time steps
                continue
            if read["times"] is None and read["layers"] is None:
                continue
            shape, time = read["shape"], read["time"]
            self.say("recurrent-read", read["site"] or read["called"], layer=read["layer"], steps=shape[time],
                     batch=shape[1 - time], times=(read["times"] or [])[:64], samples=read["samples"],
                     state_layers=read["layers"] or [], num_layers=read["num_layers"],
                     bidirectional=read["bidirectional"], state_read=read["layers"] is not None)

    # Masks of attention.

    def masked(self, result):
        if isinstance(result, torch.Tensor):
            self.last_mask = (weakref.ref(result), self.recorder.sites.here())

    def normalised(self, args, kwargs):
        """Softmax over scores of which some are hidden by a very low value."""
        scores = args[0] if args else None
        axis = kwargs.get("dim", args[1] if len(args) > 1 else None)
        if not isinstance(scores, torch.Tensor) or scores.dim() < 3 or not isinstance(axis, int):
            return
        array = array_of(scores)
        if array is None or array.size > MOST_SCORES or array.shape[axis] < 2:
            return
        low = array <= HIDDEN
        rows = low.all(axis=axis)
        if rows.any() and not rows.all() and (low.any(axis=axis) == rows).all():
            reference, site = self.last_mask or (None, None)
            known = reference is not None and reference() is scores
            self.say("mask-over-rows", site if known else self.recorder.sites.here(), rows=int(rows.size),
                     masked=int(rows.sum()))

    # Padding of the input that the loss depends on.

    def root_called(self, source, output):
        if self.recorder.step >= FIRST_STEPS or not isinstance(output, torch.Tensor) or not output.requires_grad:
            return
        self.root_calls += 1
        found = padding.of_input(source, output)
        if found is not None:
            call = self.root_calls
            output.register_hook(lambda gradient: self.recorder.look(self._padding_reached, call, found, gradient))

    def _padding_reached(self, call, found, gradient):
        if call != self.root_calls:  # another module took it up and may have left the padding out
            return
        array = array_of(gradient)
        if array is None or not padding.has_positions(found, array, self.target_count):
            return
        values = padding.reached(found, array)
        if values:
            self.say("padded-target", self.recorder.loss_site or self.recorder.sites.here(), **values)

    # Losses.

    def subtracted(self, args, result):
        """What a model said minus what it should have said, each with each: (N, 1) and (N,)."""
        left, right = args[:2] if len(args) >= 2 else (None, None)
        if not isinstance(left, torch.Tensor) or not isinstance(right, torch.Tensor):
            return
        prediction, target = (left, right) if left.requires_grad else (right, left)
        if (not prediction.requires_grad or target.requires_grad or {left.dim(), right.dim()} != {1, 2}
                or left.shape[0] != right.shape[0] or left.shape[0] < 2 or result.shape != (len(left), len(left))):
            return
        if 1 in (left.shape[-1], right.shape[-1]) and not self.recorder.stack:  # inside a model it may be meant
            self.say("compared-each-with-each", self.recorder.sites.here(), prediction=list(prediction.shape),
                     target=list(target.shape))

    def loss_called(self, kind, args, kwargs, prediction, target, output):
        self.target_count = target.numel()
        found = padding.counted(kind, args, kwargs, prediction, target, output)
        if found:
            self.say("padded-target", self.recorder.sites.here(), kind=kind, **found)

    def targets_seen(self, args, kwargs):
        """Every step: a batch whose last samples are those of the batch before."""
        target = losses.prediction_and_target(args, kwargs)[1]
        line = self.recorder.sites.line()
        before = self.targets.pop(line, None)
        if (target is None or target.dim() < 1 or target.shape[0] < 2 * TAIL or target.numel() > MOST_TARGETS
                or target.device.type != "cpu" or len(self.targets) >= MOST_LOSSES):
            return
        new = array_of(target)
        if new is None:
            return
        now = self.targets[line] = new.tobytes()  # bytes: quick at every step
        tail = TAIL * (new.nbytes // len(new))
        if before is None or len(before) != len(now) or before[-tail:] != now[-tail:]:
            return
        self._look_for_old_targets(before, new)

    def _look_for_old_targets(self, before, new):
        old = np.frombuffer(before, new.dtype).reshape(len(new), -1)
        new = new.reshape(len(new), -1)
        changed = (new != old).any(axis=1)
        first = int(np.flatnonzero(changed)[-1]) + 1 if changed.any() else 0
        repeated = len(new) - first
        shares = np.unique(new, axis=0, return_counts=True)[1] / len(new)
        tail = new[first:]
        runs = 1 + int((tail[1:] != tail[:-1]).any(axis=1).sum())  # samplers that balance classes draw runs of one
        by_chance = runs * math.log(float((shares ** 2).sum())) > math.log(UNLIKELY)
        various = len(np.unique(tail, axis=0)) >= VARIOUS  # the same padding ends many a batch
        if first >= TAIL and changed[:first].mean() > 0.25 and various and not by_chance:
            self.say("stale-samples", self.recorder.sites.here(), samples=len(new), repeated=repeated,
                     compared="targets")

    # States that are handed on while nothing is trained.

    def mode_changed(self, training):
        if not training and not self.hooks:
            self.hooks = [nn.modules.module.register_module_forward_hook(self.state_seen)]
        elif training:
            self.forget_states()

    def forget_states(self):
        for hook in self.hooks:
            hook.remove()
        self.hooks, self.states = [], {}

    def state_seen(self, module, inputs, output):
        if module.training or not isinstance(output, tuple) or not torch.is_grad_enabled():
            return
        if self.recorder.idle() and not self.recorder.in_backward:
            self.recorder.look(self._hand_on, module, inputs, output)

    def _hand_on(self, module, inputs, output):
        last, calls = self.states.get(id(module), ((), 0))
        given = {id(tensor) for tensor in tensors_in(inputs) if tensor.grad_fn is not None}
        handed_on = any(reference() is not None and id(reference()) in given for reference in last)
        calls = calls + 1 if handed_on else 1
        results = [weakref.ref(tensor) for tensor in tensors_in(output) if tensor.grad_fn is not None]
        self.states[id(module)] = (results, calls)
        if calls == LONG_STATE:
            self.say("state-kept", self.recorder.sites.here(outside_models=True), calls=calls,
                     kind=type(module).__name__)

    # Labels that are resized.

    def resized(self, args, kwargs, result):
        if self.blends >= MOST_BLENDS:
            return
        source = args[0] if args else kwargs.get("input")
        mode = kwargs.get("mode", args[3] if len(args) > 3 else "nearest")
        if mode not in BLENDING or not isinstance(source, torch.Tensor) or source.requires_grad:
            return
        self.blends += 1
        before, after = array_of(source), array_of(result)
        if before is None or after is None or before.size > 1 << 20 or not _whole(before) or _whole(after):
            return
        labels = np.unique(before)
        if 2 <= len(labels) <= MOST_LABELS:
            self.say("labels-blended", self.recorder.sites.here(), mode=mode, labels=len(labels),
                     low=float(labels[0]), high=float(labels[-1]), shape=list(result.shape))


def _whole(array):
    return bool((array == np.floor(array)).all())
