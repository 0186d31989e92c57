"""Comparisons of tensors that the program counts its hits by: some are never true."""

import numbers
import os

import numpy as np
import torch

from .statistics import array_of

MOST_CALLS = 400     # that are looked at, of one line
MOST_VALUES = 1 << 16
MOST_POSITIONS = 256
LOADERS = os.path.join(os.path.dirname(torch.utils.data.__file__), "")


class Line:
    """What was compared at one line so far."""

    def __init__(self, code, site):
        self.code = code  # kept, so that its id stays its own
        self.site = site
        self.calls = self.values = self.hits = self.fractions = 0
        self.by_chance = 0.0  # hits to expect of the same values in any order
        self.whole = True     # both sides are whole numbers
        self.common = 0       # different values that both sides have
        self.positions = {}   # number of columns: rows, hits of each column
        self.contents = set()  # hashes of what was compared: what a model says changes as it learns
        self.counted = 0      # calls that went into these
        self.same_shape = 0   # calls of torch.equal
        self.shapes = None    # of the first one whose tensors had different ones


class Comparisons:
    def __init__(self, recorder, say):
        self.recorder = recorder
        self.sites = recorder.sites
        self.say = say
        self.lines = {}

    def wants(self, frame):
        """Whether more has to be known of the line that is running; few and cheap questions."""
        line = self.lines.get((id(frame.f_code), frame.f_lineno))
        return line is None or line.calls < MOST_CALLS

    def _line(self, frame):
        """The line that is running, None if it is not the program's."""
        key = (id(frame.f_code), frame.f_lineno)
        line = self.lines.get(key)
        if line is None:
            known = self.sites.kind(frame.f_code.co_filename) == "program"
            site = self.sites.site(frame.f_code.co_filename, frame.f_lineno) if known else None
            line = self.lines[key] = Line(frame.f_code, site)
            if not known:
                line.calls = MOST_CALLS
        if line.site is None:
            return None
        line.calls += 1
        return line

    def compared(self, left, right, result, frame):
        line = self._line(frame)
        if line is None:
            return
        if result is NotImplemented:
            if _is_numbers(right):
                self.say("never-equal", line.site, left="Tensor", right=type(right).__name__)
            return
        if not isinstance(right, torch.Tensor) or not isinstance(result, torch.Tensor):
            return
        self.recorder.uses.evaluated.judged(left)
        self._compared(line, left, right, result, frame)

    def _compared(self, line, left, right, result, frame):
        """Value by value; `result` is None if the program did not ask for that."""
        if left.shape != right.shape or left.dim() == 0 or left.numel() > MOST_VALUES:
            return
        if self._judges_a_model(frame) and not self._is_weight(left) and not self._is_weight(right):
            left, right = array_of(left), array_of(right)
            if left is not None and right is not None:
                self._count(line, left, right, left == right if result is None else array_of(result))

    def _judges_a_model(self, frame):
        """Whether a model may have made what is compared: its training has begun, and neither the model itself nor a
        loader is at work. Edges of a graph, say, are compared when the data are made and in layers."""
        if not self.recorder.backwards or self.recorder.stack:
            return False
        while frame is not None:
            code = frame.f_code
            if code.co_name == "forward" or code.co_filename.startswith(LOADERS):
                return False
            frame = frame.f_back
        return True

    def _is_weight(self, tensor):
        """Weights are compared to see whether they have changed."""
        if isinstance(tensor, torch.nn.Parameter):
            return True
        if not tensor.is_floating_point():
            return False
        place = tensor.data_ptr()
        roots = [root() for root in list(self.recorder.layers.roots.values())]
        return any(weight.data_ptr() == place for root in roots if root is not None
                   for weight in (*root.parameters(), *root.buffers()))

    def _count(self, line, left, right, hits):
        if hits is None or hits.dtype.kind != "b":
            return
        line.counted += 1
        line.contents.add(hash((left.tobytes(), right.tobytes())))
        line.values += hits.size
        line.hits += int(hits.sum())
        for side in (left, right):
            if side.dtype.kind == "f":
                line.whole = False
                line.fractions += int((side != np.floor(side)).sum())
        if line.whole and not line.hits:
            self._expect(line, left, right)
        if hits.ndim == 2 and 1 < hits.shape[1] <= MOST_POSITIONS:
            rows, columns = line.positions.get(hits.shape[1], (0, 0))
            line.positions[hits.shape[1]] = (rows + len(hits), columns + hits.sum(axis=0))

    def _expect(self, line, left, right):
        values, of_left = np.unique(left, return_counts=True)
        others, of_right = np.unique(right, return_counts=True)
        common, at, there = np.intersect1d(values, others, assume_unique=True, return_indices=True)
        line.common = max(line.common, len(common))
        line.by_chance += float((of_left[at] * of_right[there] / left.size).sum())

    def whole_compared(self, left, right, frame):
        """torch.equal, which compares the shapes first."""
        line = self._line(frame)
        if line is None:
            return
        if left.shape == right.shape:
            line.same_shape += 1
            self._compared(line, left, right, None, frame)
        elif line.shapes is None:
            line.shapes = (list(left.shape), list(right.shape))

    def tell(self):
        for line in self.lines.values():
            if line.shapes is not None and not line.same_shape:
                self.say("never-equal", line.site, left=line.shapes[0], right=line.shapes[1])
            if line.values and (line.counted == 1 or len(line.contents) > 1):
                self._tell_values(line)
        self.lines = {}

    def _tell_values(self, line):
        never = 0
        for rows, columns in line.positions.values():
            if rows >= 50 and (columns > 0.25 * rows).mean() >= 0.5:
                never = max(never, int((columns == 0).sum()))
        self.say("compared", line.site, values=line.values, hits=line.hits, fractions=line.fractions,
                 whole=line.whole, common=line.common, by_chance=line.by_chance, positions_without_hit=never)


def _is_numbers(value):
    """A list or tuple of numbers, or of such lists, which a program takes for a tensor."""
    return (isinstance(value, (list, tuple)) and len(value) > 0
            and all(isinstance(part, (numbers.Number, np.generic)) or _is_numbers(part) for part in value))
