"""Which layers the program has: where they were made, what they are called, who trains them.

Layers are known by weak references only; nothing is added to one.
"""

import weakref

from . import arrays

PLAIN = (bool, int, float, str)
FUNCTIONS = 1 << 16  # ids of functions, and of variables that no layer has
OWN = ("keras", "tf_keras", "tensorflow")


def is_library(owner):
    return type(owner).__module__.partition(".")[0] in OWN


def is_recurrent(layer):
    return hasattr(layer, "cell") and hasattr(layer, "return_sequences")


def settings_of(layer):
    """Plain entries of its configuration. Only layers of the library are asked: others are the program's code."""
    if not is_library(layer):
        return {}
    try:
        config = layer.get_config()
    except Exception:
        return {}
    settings = {}
    for name, value in config.items():
        if name in ("name", "dtype", "trainable"):
            continue
        if isinstance(value, PLAIN):
            settings[name] = value
        elif isinstance(value, (list, tuple)) and value and all(isinstance(part, PLAIN) for part in value):
            settings[name] = list(value)
    function = getattr(layer, "activation", None)
    if callable(function) and "activation" not in settings:  # one of TensorFlow's
        settings["activation"] = getattr(function, "__name__", "")
    if is_recurrent(layer):  # that of the gates is no activation of the output
        settings.pop("activation", None)
    return settings


class Layer:
    """One with an owner is a layer of Keras. Others are functions, or variables that no layer has."""

    def __init__(self, number, name, kind, site, owner=None, settings=None, variables=()):
        self.id = number
        self.name = name
        self.kind = kind
        self.site = site
        self.owner = weakref.ref(owner) if owner is not None else None
        self.library = owner is not None and is_library(owner)
        self.variables = list(variables)
        self.settings = settings or {}
        self.called = False
        self.order = -1
        self.told = None

    def _own(self, owner):
        if self.library:
            return list(owner.weights)
        names = ("_trainable_weights", "_non_trainable_weights", "_trainable_variables", "_non_trainable_variables")
        return [variable for name in names for variable in getattr(owner, name, None) or ()]

    def parameters(self):
        """(slot, variable)"""
        owner = self.owner() if self.owner is not None else None
        found = self._own(owner) if owner is not None else self.variables
        yield from enumerate(found[:255])

    def activation(self):
        name = self.settings.get("activation")
        return name if isinstance(name, str) else self.kind.lower()

    def is_frozen(self):
        owner = self.owner() if self.owner is not None else None
        return owner is not None and not getattr(owner, "trainable", True)


def short_name(variable):
    return str(getattr(variable, "name", "")).split("/")[-1].split(":")[0]


class Layers:
    def __init__(self, sites):
        self.sites = sites
        self.model_kinds = ()   # classes of models, when Keras is there
        self.skipped_kinds = ()  # what is no layer, though Keras says so
        self.made = {}          # id of a layer: (weak reference, site)
        self.made_variables = {}  # key of a variable: site
        self.by_owner = {}      # id of a layer: Layer
        self.by_call = {}       # line of a call and name of a function: Layer
        self.by_variable = {}   # key of a variable: (Layer, slot)
        self.roots = set()      # ids of models
        self.all = []
        self.calls = 0
        self.loaded = False

    def note_made(self, layer, site):
        key = id(layer)
        self.made[key] = (weakref.ref(layer, lambda _: self._forget(key)), site)

    def _forget(self, key):
        self.made.pop(key, None)
        self.by_owner.pop(key, None)
        self.roots.discard(key)

    def is_model(self, layer):
        return isinstance(layer, self.model_kinds)

    def is_closed(self, layer):
        """Whether what it calls is its own affair: an LSTM and its cell."""
        return is_library(layer) and not self.is_model(layer)

    def is_layer(self, layer):
        if isinstance(layer, self.skipped_kinds):
            return False
        if self.is_closed(layer):
            return True
        return bool(self._children(layer) == [] or getattr(layer, "_trainable_weights", None)
                    or getattr(layer, "_trainable_variables", None)) and not self.is_model(layer)

    def _children(self, layer):
        if self.is_model(layer) and is_library(layer):  # one that was put together, not written
            return list(layer.layers)
        try:
            return [child for child in layer._flatten_layers(recursive=False, include_self=False)
                    if not isinstance(child, self.skipped_kinds)]
        except Exception:
            return []

    def adopt(self, root):
        if id(root) not in self.roots:
            self.roots.add(id(root))
            self._adopt(root, self._site(root), set())

    def _adopt(self, layer, site, seen):
        if id(layer) in seen:
            return
        seen.add(id(layer))
        if self.is_layer(layer):
            self.of_layer(layer, site)
        if not self.is_closed(layer):
            for child in self._children(layer):
                self._adopt(child, self._site(child) or site, seen)

    def _site(self, layer):
        made = self.made.get(id(layer))
        return made[1] if made else None

    def of_layer(self, owner, site=None):
        """The layer that it is; None for a mere container."""
        layer = self.by_owner.get(id(owner))
        if layer is None and self.is_layer(owner):
            number = sum(other.id < FUNCTIONS for other in self.all)
            layer = Layer(number, owner.name, type(owner).__name__, self._site(owner) or site or self.sites.here(),
                          owner, settings_of(owner))
            self.by_owner[id(owner)] = layer
            self.all.append(layer)
        return layer

    def _add(self, name, kind, site, settings=None, variables=()):
        number = FUNCTIONS + sum(other.id >= FUNCTIONS for other in self.all)
        layer = Layer(number, name, kind, site, None, settings, variables)
        self.all.append(layer)
        return layer

    def of_function(self, name, site):
        key = (site["file"], site["line"], name)
        layer = self.by_call.get(key)
        if layer is None:
            layer = self.by_call[key] = self._add(name, name, site)
        return layer

    def of_variable(self, variable):
        """(layer, slot). A variable that no layer has is a layer of its own."""
        key = arrays.key_of(variable)
        found = self.by_variable.get(key)
        if found is None:
            for layer in self.all:
                for slot, own in layer.parameters():
                    self.by_variable.setdefault(arrays.key_of(own), (layer, slot))
            found = self.by_variable.get(key)
        if found is None:
            site = self.made_variables.get(key) or self.sites.here()
            layer = self._add(short_name(variable) or "variable", "Variable", site, None, [variable])
            self.called(layer)
            found = self.by_variable[key] = (layer, 0)
        return found

    def called(self, layer):
        if not layer.called:
            layer.called = True
            layer.order = self.calls
            self.calls += 1

    def tell(self, stream, optimised):
        """Say what is new about any layer; `optimised` holds the keys of the variables that optimizers have."""
        for layer in self.all:
            names, has, learns = [], [], []
            for _, variable in layer.parameters():
                names.append(short_name(variable))
                has.append(arrays.key_of(variable) in optimised)
                learns.append(bool(getattr(variable, "trainable", True)) and not layer.is_frozen())
            settings = layer.settings if self.loaded or not names else {**layer.settings, "loaded": False}
            state = (layer.called, names, has, learns, dict(settings))
            if state == layer.told:
                continue
            layer.told = state
            stream.event("layer", id=layer.id, name=layer.name, kind=layer.kind, site=layer.site, called=layer.called,
                         order=layer.order, parameters=names, optimised=has, trainable=learns, settings=settings)
