"""In which epoch a step is: the count of the data loader's iterations, else the program's own variable."""

import sys
import weakref

NAMES = ("epoch", "epoch_index", "epoch_idx", "i_epoch", "current_epoch", "ep")


class Epochs:
    def __init__(self, sites):
        self.sites = sites
        self.loaders = {}    # id: (weak reference, iterations)
        self.current = None  # of the last loader that was started
        self.variable = None  # depth and code of the frame that counts, and the name of its counter
        self.first = None
        self.searches = 0
        self.inputs = set()  # where full-batch programs keep their data
        self.full_batch = None

    def loader_started(self, loader):
        key = id(loader)
        _, count = self.loaders.get(key, (None, -1))
        self.loaders[key] = (weakref.ref(loader, lambda _: self.loaders.pop(key, None)), count + 1)
        self.current = count + 1

    def input_seen(self, tensor, step):
        """A model that gets the same tensor twice is trained on all the data at once."""
        place = (tensor.data_ptr(), tuple(tensor.shape))
        if step > 0:
            self.full_batch = place in self.inputs
        self.inputs = {place}

    def at(self, step, depth):
        """`depth`: of the frame that called the optimizer, seen from here."""
        if self.current is not None:
            return self.current
        value = self._counter(depth + 1)
        if value is not None:
            if self.first is None:
                self.first = value
            return max(0, value - self.first)
        return step if self.full_batch else 0

    def _counter(self, depth):
        if self.variable is not None:
            offset, code, name = self.variable
            try:
                frame = sys._getframe(depth + offset)
            except ValueError:
                frame = None
            if frame is not None and frame.f_code is code:
                value = frame.f_locals.get(name)
                return value if isinstance(value, int) else None
            self.variable = None
        if self.searches > 20:
            return None
        self.searches += 1
        return self._search(sys._getframe(depth), 0)

    def _search(self, frame, offset):
        while frame is not None:
            if self.sites.kind(frame.f_code.co_filename) == "program":
                for name in NAMES:
                    value = frame.f_locals.get(name)
                    if isinstance(value, int):
                        self.variable = (offset, frame.f_code, name)
                        return value
            frame, offset = frame.f_back, offset + 1
        return None
