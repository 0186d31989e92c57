"""Parts of one data set: which a model was trained on, and which it is evaluated on."""

import weakref

import numpy as np
from torch.utils.data import Subset

MOST_INDICES = 1 << 20


class Use:
    """A loader goes over a part. What happens first decides what for."""

    def __init__(self, part):
        self.part = weakref.ref(part)
        self.purpose = None  # "training" or "evaluation"


class Parts:
    def __init__(self, sites, say):
        self.sites = sites
        self.say = say
        self.use = None        # of the loader that was started last
        self.optimizer = None  # that stepped last: whoever makes a new model, makes a new one
        self.trained = weakref.WeakKeyDictionary()  # optimizer: parts that it was given, as (data set, indices)

    def loader_started(self, loader):
        self.use = Use(loader.dataset) if isinstance(loader.dataset, Subset) else None

    def stepped(self, optimizer):
        """Every step."""
        use = self.use
        if use is None or use.purpose == "evaluation":
            return
        if use.purpose is not None and self.optimizer is not None and self.optimizer() is optimizer:
            return
        use.purpose = "training"
        self.optimizer = weakref.ref(optimizer)
        found = _indices(use.part())
        known = self.trained.setdefault(optimizer, [])
        if found is not None and not any(_is_same(found, other) for other in known):
            known.append(found)

    def undecided(self):
        return self.use is not None and self.use.purpose is None

    def evaluated(self):
        """The model that is trained is given something without gradients."""
        if not self.undecided():
            return
        self.use.purpose = "evaluation"
        own = _indices(self.use.part())
        optimizer = self.optimizer() if self.optimizer is not None else None
        for other in self.trained.get(optimizer, ()) if own is not None and optimizer is not None else ():
            shared = _shared(own, other)
            if 0 < shared < min(len(own[1]), len(other[1])):  # one in the other is meant: a look at the training
                self.say("splits-overlap", self.sites.here(outside_models=True), shared=shared, samples=len(own[1]),
                         others=len(other[1]))


def _indices(part):
    """(weak reference to the whole data set, sorted indices of the part); None if it is gone or too large."""
    if part is None:
        return None
    indices = part.indices
    data = part.dataset
    if len(indices) > MOST_INDICES:
        return None
    indices = np.unique(np.asarray(indices, dtype=np.int64))
    while isinstance(data, Subset):  # a part of a part
        indices = np.unique(np.asarray(data.indices, dtype=np.int64)[indices])
        data = data.dataset
    try:
        return weakref.ref(data), indices
    except TypeError:  # a list, say
        return None


def _whole(found):
    return found[0]()


def _is_same(one, other):
    return _whole(one) is _whole(other) and np.array_equal(one[1], other[1])


def _shared(one, other):
    if _whole(one) is not _whole(other) or _whole(one) is None:
        return 0
    return len(np.intersect1d(one[1], other[1], assume_unique=True))
