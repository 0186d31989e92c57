"""Which layers the program has: where they were made, what they are called, who trains them.

Layers are known by weak references only; nothing is added to a module.
"""

import weakref

PLAIN = (bool, int, float, str)
FUNCTIONS = 1 << 16  # ids of functions; those of modules are the same in a copy of the process that sees no functions


def settings_of(module):
    """The plain public attributes of a module: in_features, p, eps, …"""
    settings = {}
    for name, value in vars(module).items():
        if name.startswith("_") or name == "training" or len(settings) >= 24:
            continue
        if isinstance(value, PLAIN):
            settings[name] = value
        elif isinstance(value, tuple) and value and all(isinstance(part, PLAIN) for part in value):
            settings[name] = list(value)
    return settings


def is_layer(module):
    return not module._modules or any(p is not None for p in module._parameters.values())


class Layer:
    __slots__ = ("id", "name", "kind", "site", "called", "order", "module", "slots", "settings", "told")

    def __init__(self, number, name, kind, site, module=None, settings=None):
        self.id = number
        self.name = name
        self.kind = kind
        self.site = site
        self.called = False
        self.order = -1
        self.module = weakref.ref(module) if module is not None else None
        self.slots = [slot for slot, p in module._parameters.items() if p is not None] if module is not None else []
        self.settings = settings or {}
        self.told = None

    def parameters(self):
        module = self.module() if self.module is not None else None
        if module is None:
            return
        for number, slot in enumerate(self.slots[:255]):
            parameter = module._parameters.get(slot)
            if parameter is not None:
                yield number, parameter


class Layers:
    def __init__(self, sites):
        self.sites = sites
        self.made = {}       # id of a module: (weak reference, site)
        self.by_module = {}  # id of a module: Layer
        self.by_call = {}    # place of a call, name of a function: Layer
        self.all = []
        self.roots = {}      # id of a module that the program calls itself: weak reference
        self.calls = 0
        self.modules = 0
        self.loaded = False  # the program has read weights from somewhere

    def note_made(self, module):
        key = id(module)
        site = self.sites.here(made=module)
        self.made[key] = (weakref.ref(module, lambda _: self._forget(key)), site)

    def _forget(self, key):
        self.made.pop(key, None)
        self.by_module.pop(key, None)
        self.roots.pop(key, None)

    def adopt(self, root):
        """Learn names and sites of all layers of a model that the program calls."""
        key = id(root)
        if key in self.roots:
            return
        self.roots[key] = weakref.ref(root, lambda _: self._forget(key))
        self._adopt(root, "", self._site(root), set())

    def _adopt(self, module, name, site, seen):
        if id(module) in seen:
            return
        seen.add(id(module))
        if is_layer(module):
            self._add(module, name, site)
        for part, child in module._modules.items():
            if child is not None:
                self._adopt(child, f"{name}.{part}" if name else part, self._site(child) or site, seen)

    def _site(self, module):
        made = self.made.get(id(module))
        return made[1] if made else None

    def _add(self, module, name, site):
        key = id(module)
        if key in self.by_module:
            return self.by_module[key]
        kind = type(module).__name__
        if key not in self.made:  # a copy: Python made it without __init__
            self.made[key] = (weakref.ref(module, lambda _: self._forget(key)), site)
        layer = Layer(self.modules, name or kind, kind, site or self.sites.here(), module, settings_of(module))
        self.modules += 1
        self.by_module[key] = layer
        self.all.append(layer)
        return layer

    def of_module(self, module, inside=False):
        """The layer that a module is, or None for a mere container. One that another module calls (`inside`) without
        having it among its own is not registered."""
        layer = self.by_module.get(id(module))
        if layer is None and is_layer(module):
            layer = self._add(module, "", self._site(module))
            if inside:
                layer.settings["registered"] = False
        return layer

    def of_function(self, name, settings):
        key = (self.sites.call(), name)
        layer = self.by_call.get(key)
        if layer is None:
            layer = Layer(FUNCTIONS + len(self.by_call), name, name, self.sites.here(), settings=settings)
            self.by_call[key] = layer
            self.all.append(layer)
        return layer

    def called(self, layer):
        if not layer.called:
            layer.called = True
            layer.order = self.calls
            self.calls += 1

    def tell(self, stream, optimised):
        """Say what is new about any layer; `optimised` holds the ids of the parameters that optimizers have."""
        for layer in self.all:
            has, learns = [], []
            for _, parameter in layer.parameters():
                has.append(id(parameter) in optimised)
                learns.append(bool(parameter.requires_grad))
            state = (layer.called, has, learns, self.loaded)
            if state == layer.told:
                continue
            layer.told = state
            settings = layer.settings if self.loaded or not layer.slots else {**layer.settings, "loaded": False}
            stream.event("layer", id=layer.id, name=layer.name, kind=layer.kind, site=layer.site,
                         called=layer.called, order=layer.order, parameters=layer.slots, optimised=has,
                         trainable=learns, settings=settings)
