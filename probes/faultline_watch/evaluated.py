"""What a model is given in training and, while no gradients are recorded, in evaluation."""

import numpy as np
import torch
from torch import nn

from .statistics import array_of
from .tensors import tensors_in

FIRST_STEPS = 5      # whose inputs stand for the training
SAMPLES = 32
LARGEST = 1 << 19
MOST_CALLS = 200     # of models in evaluation that are looked at
MOST_SUMMARIES = 20
MOST_ROWS = 1 << 15  # of the training that are remembered
MOST_WINDOWS = 256   # of one call
SURE_PASSES = 3      # judged in training mode, before it is said
SHORTEST = 4         # values of a window
FEWEST = 2           # samples of the batch before at the end of one


class Evaluated:
    def __init__(self, recorder, say, parts):
        self.recorder = recorder
        self.say = say
        self.parts = parts
        self.module = None     # that is trained
        self.trained = []      # summaries of its inputs
        self.rows = set()      # hashes of the samples of the training
        self.heads, self.tails = set(), set()  # and of all but their last or first time step
        self.summaries = self.calls = 0
        self.before = None     # the input of the call before
        self.stale = None      # what there is to say if no other call follows in this pass
        self.hook = None
        self.last_call = None  # of this pass: samples, whether some layer was in training mode, where
        self.noisy = 0         # passes that were judged though they were in training mode
        self.noisy_site = None
        self.proper = False    # some pass was not

    def trained_on(self, module, tensor):
        """At checks."""
        self.module = id(module)
        if self.recorder.step < FIRST_STEPS:
            found = summary(tensor)
            if found is not None:
                self.trained.append(found)
        if len(self.rows) < MOST_ROWS:
            for row, head, tail in windows(tensor, MOST_WINDOWS):
                self.rows.add(row)
                self.heads.add(head)
                self.tails.add(tail)

    def gradients_off(self, off):
        if off and self.hook is None and self.recorder.step and (self.calls < MOST_CALLS or self.parts.undecided()):
            self.before = self.stale = self.last_call = None
            self.hook = nn.modules.module.register_module_forward_pre_hook(self.given)
        elif not off:
            self.stop()

    def stop(self):
        """A pass over the data has ended."""
        self.last_call = None
        if self.stale is not None:
            site, values = self.stale
            self.stale = None
            self.say("stale-samples", site, **values)
        if self.hook is not None:
            self.hook.remove()
            self.hook = None

    def given(self, module, inputs):
        recorder = self.recorder
        if recorder.idle() and id(module) == self.module and not torch.is_grad_enabled():
            recorder.look(self._given, module, inputs)

    def _given(self, module, inputs):
        self.parts.evaluated()
        if self.calls >= MOST_CALLS:
            return
        tensor = next(tensors_in(inputs), None)
        if tensor is None or tensor.dim() < 2 or tensor.numel() > LARGEST or tensor.device.type != "cpu":
            return
        self.calls += 1
        if not self.proper:
            noisy = module.training and self.recorder.left_in_training()
            self.last_call = (len(tensor), noisy, self._here())
        self._compare(tensor)
        self._look_for_neighbours(tensor)
        self._look_for_old_samples(tensor)

    def judged(self, answers):
        """The program compares something with `answers` of a model, to count its hits."""
        if self.last_call is None or self.proper or torch.is_grad_enabled() or answers.dim() == 0:
            return
        samples, noisy, site = self.last_call
        if len(answers) != samples:
            return
        self.last_call = None
        if not noisy:
            self.proper = True  # whatever is done otherwise may be wanted
            return
        self.noisy += 1
        self.noisy_site = self.noisy_site or site
        if self.noisy == SURE_PASSES:
            self.tell_noisy()

    def tell_noisy(self):
        """Also at the end of the program."""
        if self.noisy_site is not None and not self.proper:
            self.say("evaluated-in-training", self.noisy_site, passes=self.noisy)

    def _here(self):
        return self.recorder.sites.here(outside_models=True)

    def _compare(self, tensor):
        found = summary(tensor) if self.trained and self.summaries < MOST_SUMMARIES else None
        if found is None:
            return
        self.summaries += 1
        trained = {name: max(row[name] for row in self.trained) for name in ("distinct", "max", "std")}
        trained["min"] = min(row["min"] for row in self.trained)
        trained["mean"] = sum(row["mean"] for row in self.trained) / len(self.trained)
        self.say("evaluation-input", self._here(), again=tuple(found.values()), evaluation=found, training=trained)

    def _look_for_neighbours(self, tensor):
        """Samples that the training has not, but their neighbours in the same series."""
        samples = known = neighbours = 0
        for row, head, tail in windows(tensor, MOST_WINDOWS) if self.rows else ():
            samples += 1
            known += row in self.rows
            neighbours += head in self.tails or tail in self.heads  # the next one begins where this one goes on
        if neighbours >= 4:
            self.say("evaluation-windows", self._here(), samples=samples, known=known, neighbours=neighbours)

    def _look_for_old_samples(self, tensor):
        """A batch whose last samples are those of the batch before."""
        before, self.before, self.stale = self.before, tensor.detach().clone(), None
        if (before is None or before.shape != tensor.shape or before.dtype != tensor.dtype or len(tensor) < 2
                or not tensor.is_floating_point()):
            return
        new, old = array_of(tensor).reshape(len(tensor), -1), array_of(before).reshape(len(tensor), -1)
        changed = (new != old).any(axis=1)
        if not changed.any() or changed.all():
            return
        first = int(np.flatnonzero(changed)[-1]) + 1
        tail = new[first:]
        various = new.shape[1] >= SHORTEST and len(np.unique(tail)) >= SHORTEST
        if changed[:first].mean() > 0.5 and len(tail) >= FEWEST and various:  # data run out at the end of a pass only
            self.stale = (self._here(), {"samples": len(new), "repeated": len(tail), "compared": "inputs"})


def windows(tensor, most):
    """Hashes of each sample, of all but its last and of all but its first time step; none if it is no series."""
    if not isinstance(tensor, torch.Tensor) or not tensor.is_floating_point() or not 2 <= tensor.dim() <= 3:
        return
    array = array_of(tensor[:most])
    if array is None or array.size > LARGEST or array[0].size < SHORTEST + 1:
        return
    axis = 0 if array.ndim == 2 or array.shape[1] >= array.shape[2] else 1  # of a sample
    if array.shape[axis + 1] <= SHORTEST:
        return
    for sample in array:
        head, tail = (sample[:-1], sample[1:]) if axis == 0 else (sample[:, :-1], sample[:, 1:])
        if tail.min() < tail.max():  # blank images have blank neighbours
            yield hash(sample.tobytes()), hash(head.tobytes()), hash(tail.tobytes())


def summary(tensor):
    """Range and spread of an input, and how many different values a sample has; None for indices."""
    if not isinstance(tensor, torch.Tensor) or not tensor.is_floating_point() or tensor.dim() < 2:
        return None
    array = array_of(tensor[:SAMPLES])
    if array is None or array.size > LARGEST or array[0].size < 16 or not np.isfinite(array).all():
        return None
    rows = array.reshape(len(array), -1)
    return {"distinct": float(np.median([len(np.unique(row)) for row in rows])), "min": float(rows.min()),
            "max": float(rows.max()), "mean": float(rows.mean(dtype=np.float64)),
            "std": float(rows.std(dtype=np.float64))}
