"""What Keras does for the program: fit, evaluate and predict."""

import math
import weakref
from threading import get_ident

import numpy as np

from . import arrays
from .guard import guarded

NAN = math.nan
MOST_LABELS = 1 << 20


class Fits:
    def __init__(self, recorder):
        self.recorder = recorder
        self.model = None         # that is being fitted, a weak reference
        self.evaluating = 0       # calls of evaluate and predict
        self.epoch = -1
        self.totals = (0.0, 0.0)  # of the loss that Keras adds up: sum and weight
        self.compiled = weakref.WeakKeyDictionary()  # models and where compile() was called
        self.trained = weakref.WeakKeyDictionary()   # models and the variables that their compiled step trains

    def is_running(self):
        return self.model is not None

    def current(self):
        return self.model() if self.model is not None else None

    def site(self):
        """Where the loss of the model was declared."""
        model = self.current()
        return self.compiled.get(model) if model is not None else None

    def compiles(self, model, site):
        self.compiled[model] = site
        self.trained.pop(model, None)

    def traced(self, record):
        """A step of the model has been compiled: it goes on training these variables, whatever is frozen later."""
        model = self.current()
        if model is not None:
            self.trained[model] = {arrays.key_of(variable) for _, pairs in record.applied for _, variable in pairs}

    @guarded
    def begins(self, model, values):
        self.model = weakref.ref(model)
        self.totals = (0.0, 0.0)
        self.recorder.thread = get_ident()
        self.recorder.layers.adopt(model)
        self.recorder.start()
        if values is not None:
            self.recorder.stream.event("experiment", name="fit", values=values)

    @guarded
    def epoch_begins(self):
        if self.is_running() and not self.evaluating:
            self.epoch += 1
            self.totals = (0.0, 0.0)

    @guarded
    def evaluated(self, logs, site):
        if self.recorder.step == 0 or "loss" not in logs:
            return
        accuracy = [value for name, value in logs.items() if name.startswith("acc") or name.endswith("_accuracy")]
        share = arrays.number(accuracy[0]) if accuracy else NAN
        self.recorder.stream.event("evaluation", step=self.recorder.step, loss=arrays.number(logs["loss"]),
                                   accuracy=share, batches=1, training_mode=False, site=site)

    @guarded
    def is_asked(self, model, target, share, site):
        """Before a call of fit, on the data and the model that it is given."""
        trained = self.trained.get(model)
        if trained is not None:
            now = {arrays.key_of(variable) for variable in model.trainable_variables}
            if trained != now:
                self.recorder.say("freezing-ignored", site, frozen=len(self.layers_with(model, trained - now)),
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
            self.recorder.say("validation-classes", site, share=float(np.isin(held, known, invert=True).mean()))

    def added_up(self):
        """The loss and the number of samples of the step that a fit has just made: Keras adds losses up."""
        model = self.current()
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
