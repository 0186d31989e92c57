"""What of Keras is wrapped, version 2 (`keras` 2.x, `tf_keras`) and version 3 with TensorFlow behind it."""

import importlib
import sys
import weakref

import tensorflow as tf

from . import losses, patches
from .wrapping import wrap


def install(module, descriptor, every):
    patches.install(tf, descriptor, every)  # TensorFlow itself may have come first
    name = module.__name__
    version = str(getattr(module, "__version__", "2"))
    if version.startswith("3"):
        _version_3(module)
    else:
        _version_2(name)


def _version_2(name):
    part = _part_of(name)
    base, version_1 = part("engine.base_layer"), part("engine.base_layer_v1")
    training, metric = part("engine.training"), part("metrics.base_metric")
    recorder = patches.recorder
    recorder.layers.model_kinds += (training.Model,)
    recorder.layers.skipped_kinds += (metric.Metric, part("engine.input_layer").InputLayer)
    for owner in (base.Layer, version_1.Layer if version_1 else None):
        if owner is not None:
            _layers(owner)
    _optimizers(part("optimizers.optimizer")._BaseOptimizer, ("apply_gradients",))
    _optimizers(part("optimizers.optimizer").Optimizer, ("apply_gradients",))
    _optimizers(part("optimizers.legacy.optimizer_v2").OptimizerV2, ("apply_gradients",))
    _losses(part("losses").Loss)
    _models(training.Model, training.Model)
    _epochs(part("callbacks").CallbackList)
    public = sys.modules.get(f"{name}.api._v2.keras.losses")
    for owner in (public, part("losses"), getattr(sys.modules[name], "losses", None)):
        _loss_functions(owner)


def _version_3(module):
    if module.backend.backend() != "tensorflow":
        return
    part = _part_of("keras")
    recorder = patches.recorder
    layer = part("layers.layer").Layer
    recorder.layers.model_kinds += (part("models.model").Model,)
    recorder.layers.skipped_kinds += (part("layers.core.input_layer").InputLayer,)
    _layers(layer)
    _optimizers(part("optimizers.base_optimizer").BaseOptimizer, ("apply_gradients", "apply"))
    _losses(part("losses.loss").Loss, skipped=("CompileLoss",))
    _models(part("backend.tensorflow.trainer").TensorFlowTrainer, part("trainers.trainer").Trainer)
    _epochs(part("callbacks.callback_list").CallbackList)
    _loss_functions(module.losses)


def _part_of(name):
    """Parts of Keras by their path, wherever this version keeps its sources."""

    def part(path):
        for prefix in (f"{name}.src", name):
            try:
                return importlib.import_module(f"{prefix}.{path}")
            except ImportError:
                continue
        return None

    return part


def _layers(owner):
    recorder = patches.recorder

    def make_init(original):
        def __init__(self, *args, **kwargs):
            recorder.layer_made(self)
            original(self, *args, **kwargs)

        return __init__

    def make_call(original):
        def __call__(self, *args, **kwargs):
            if recorder.blind():
                return original(self, *args, **kwargs)
            mark = recorder.layer_begins(self, args or tuple(kwargs.values()))
            try:
                result = original(self, *args, **kwargs)
            except Exception:
                recorder.layer_failed(self)
                raise
            if mark is not None:
                recorder.layer_ends(mark, result)
            return result

        return __call__

    def make_load(original):
        def load_weights(self, *args, **kwargs):
            if not recorder.step:
                recorder.layers.loaded = True
            return original(self, *args, **kwargs)

        return load_weights

    wrap(owner, "__init__", make_init)
    wrap(owner, "__call__", make_call)
    wrap(owner, "set_weights", make_load)


def _optimizers(owner, names):
    recorder = patches.recorder

    def make_init(original):
        def __init__(self, *args, **kwargs):
            recorder.optimizer_made(self)
            original(self, *args, **kwargs)

        return __init__

    def make_apply_gradients(original):
        def apply_gradients(self, grads_and_vars, *args, **kwargs):
            pairs = list(grads_and_vars)
            return _apply(self, pairs, lambda: original(self, pairs, *args, **kwargs))

        return apply_gradients

    def make_apply(original):
        def apply(self, grads, trainable_variables=None):
            grads = list(grads)
            if trainable_variables is not None:
                trainable_variables = list(trainable_variables)
            variables = trainable_variables or getattr(self, "_trainable_variables", None) or []
            pairs = list(zip(grads, variables, strict=False))
            return _apply(self, pairs, lambda: original(self, grads, trainable_variables))

        return apply

    def _apply(optimizer, pairs, call):
        recorder.before_apply(optimizer, pairs)
        try:
            result = call()
        except BaseException:
            recorder.apply_failed()
            raise
        recorder.after_apply(optimizer)
        return result

    wrap(owner, "__init__", make_init)
    if "apply_gradients" in names:
        wrap(owner, "apply_gradients", make_apply_gradients)
    if "apply" in names:
        wrap(owner, "apply", make_apply)


def _losses(owner, skipped=()):
    recorder = patches.recorder

    def make(original):
        def __call__(self, y_true, y_pred, *args, **kwargs):
            result = original(self, y_true, y_pred, *args, **kwargs)
            if not recorder.blind() and type(self).__name__ not in skipped:
                recorder.loss_called(losses.kind_of_object(self), losses.reduction_of(self), y_true, y_pred, result)
            return result

        return __call__

    wrap(owner, "__call__", make)


def _loss_functions(module):
    for name in losses.OF_KERAS if module is not None else ():
        wrap(module, name, patches.of_keras(name))


def _models(owner, compiler):
    recorder = patches.recorder

    def make_compile(original):
        def compile(self, *args, **kwargs):
            recorder.fits.compiles(self, recorder.places.here())
            return original(self, *args, **kwargs)

        return compile

    def make_fit(original):
        def fit(self, *args, **kwargs):
            outer = recorder.fits.model
            site = recorder.places.here()
            recorder.fits.begins(self, _of_fit(self, original, args, kwargs, site))
            try:
                return original(self, *args, **kwargs)
            finally:
                recorder.fits.model = outer

        return fit

    def make_train_on_batch(original):
        def train_on_batch(self, *args, **kwargs):
            outer = recorder.fits.model
            if outer is None:
                recorder.fits.model = weakref.ref(self)
                recorder.fits.epoch = max(recorder.fits.epoch, 0)
            try:
                return original(self, *args, **kwargs)
            finally:
                recorder.fits.model = outer

        return train_on_batch

    def make_evaluate(original):
        def evaluate(self, *args, **kwargs):
            site = recorder.places.here()
            recorder.fits.evaluating += 1
            try:
                result = original(self, *args, **kwargs)
            finally:
                recorder.fits.evaluating -= 1
            if not recorder.fits.evaluating:
                recorder.fits.evaluated(_logs(self, result), site)
            return result

        return evaluate

    def make_predict(original):
        def predict(self, *args, **kwargs):
            recorder.fits.evaluating += 1
            try:
                return original(self, *args, **kwargs)
            finally:
                recorder.fits.evaluating -= 1

        return predict

    def make_load(original):
        def load_weights(self, *args, **kwargs):
            if not recorder.step:
                recorder.layers.loaded = True
            return original(self, *args, **kwargs)

        return load_weights

    wrap(compiler, "compile", make_compile)
    wrap(owner, "fit", make_fit)
    wrap(owner, "train_on_batch", make_train_on_batch)
    for name in ("evaluate", "test_on_batch"):
        wrap(owner, name, make_evaluate)
    for name in ("predict", "predict_on_batch"):
        wrap(owner, name, make_predict)
    for kind in recorder.layers.model_kinds:
        wrap(kind, "load_weights", make_load)


def _logs(model, result):
    """The results of evaluate by name."""
    if isinstance(result, dict):
        return result
    if not isinstance(result, (list, tuple)):
        return {"loss": result}
    try:
        return {**model.get_metrics_result(), "loss": result[0]}
    except Exception:  # another version
        return {"loss": result[0]}


def _of_fit(model, original, args, kwargs, site):
    """What a call of fit was asked to do."""
    names = ("x", "y", "batch_size", "epochs")
    given = {**dict(zip(names, args, strict=False)), **kwargs}
    source = given.get("x")
    shape = list(source.shape) if hasattr(source, "shape") else None
    patches.recorder.fits.is_asked(model, given.get("y"), given.get("validation_split"), site)
    values = {"epochs": given.get("epochs", 1), "batch_size": given.get("batch_size") or 32}
    if shape:
        share = given.get("validation_split") or 0
        values["samples"] = shape[0]
        values["steps_per_epoch"] = -(-int(shape[0] * (1 - share)) // int(values["batch_size"]))
        values["given"] = [shape]
    return values


def _epochs(owner):
    recorder = patches.recorder

    def make(original):
        def on_epoch_begin(self, *args, **kwargs):
            recorder.fits.epoch_begins()
            return original(self, *args, **kwargs)

        return on_epoch_begin

    wrap(owner, "on_epoch_begin", make)
