"""A digest of everything a program's run has come to: what its frames and modules hold, down to the
last bit of every tensor, and the random generators. Two runs with the same digest at the same line
go on in the same way, as long as their code does.

Left out: times (see clocks.py), code, and what libraries keep to themselves.
"""

__faultline__ = True

import hashlib
import random
import struct
import sys
import types

from faultline_campaign.clocks import Seconds

_PLAIN = (str, int, bool, complex, type(None), type(Ellipsis), range)
_CODE = (types.ModuleType, type, types.BuiltinFunctionType, types.CodeType, property, staticmethod,
         classmethod, types.GetSetDescriptorType, types.WrapperDescriptorType,
         types.MethodDescriptorType, types.MethodWrapperType)
_ITERATORS = tuple(type(iter(each)) for each in ([], (), {}, set(), "", range(0), b"")) + (
    type(iter({}.values())), type(iter({}.items())), zip, map, filter, enumerate, reversed)


class Digest:
    def __init__(self):
        self._hash = hashlib.blake2b(digest_size=16)
        self._seen = {}
        self._kept = []  # what was looked at stays alive: an address must not be used twice

    def text(self):
        return self._hash.hexdigest()

    def _mark(self, *words):
        self._hash.update(repr(words).encode())

    def add(self, value):
        # A stack of its own: programs nest deeper than Python's.
        todo = [value]
        while todo:
            self._one(todo.pop(), todo)

    def _one(self, value, todo):
        kind = type(value)
        if kind is Seconds:
            return self._mark("time")
        if kind is float:
            return self._hash.update(struct.pack("=cd", b"f", value))
        if kind in _PLAIN:
            return self._mark(kind.__name__, value)
        number = self._seen.get(id(value))
        if number is not None:
            return self._mark("again", number)
        self._seen[id(value)] = len(self._seen)
        self._kept.append(value)
        if kind in (bytes, bytearray, memoryview):
            self._mark(kind.__name__, len(value))
            return self._hash.update(value)
        if kind in (list, tuple):
            self._mark(kind.__name__, len(value))
            return todo.extend(value)
        if kind is dict:
            return self._mapping("dict", value, todo)
        if kind in (set, frozenset):
            self._mark(kind.__name__, len(value))
            return todo.extend(sorted(value, key=repr))
        if isinstance(value, _CODE):
            return self._mark(kind.__name__, getattr(value, "__name__", ""))
        if isinstance(value, types.FunctionType):
            self._mark("function", value.__qualname__)
            if "__faultline__" in value.__globals__:
                return None
            cells = value.__closure__ or ()
            return todo.extend(c.cell_contents for c in cells if _filled(c))
        if isinstance(value, types.MethodType):
            self._mark("method", value.__func__.__qualname__ if hasattr(value.__func__, "__qualname__") else "")
            return todo.append(value.__self__)
        if isinstance(value, types.GeneratorType):
            self._mark("generator", value.__qualname__)
            if value.gi_frame is not None:
                todo.append(dict(value.gi_frame.f_locals))
            return None
        if isinstance(value, _ITERATORS):
            return todo.append(_reduced(value))
        return self._object(value, kind, todo)

    def _mapping(self, word, value, todo):
        self._mark(word, len(value))
        for key, item in list(value.items()):
            todo.append(item)
            todo.append(key)

    def _object(self, value, kind, todo):
        self._mark("object", kind.__module__, kind.__qualname__)
        torch = sys.modules.get("torch")
        numpy = sys.modules.get("numpy")
        if torch is not None and isinstance(value, torch.Tensor):
            self._tensor(torch, value, todo)
        elif torch is not None and isinstance(value, torch.Generator):
            todo.append(value.get_state().numpy().tobytes())
        elif numpy is not None and isinstance(value, numpy.ndarray):
            self._mark(str(value.dtype), value.shape)
            if value.dtype.hasobject:
                todo.append(value.tolist())
            else:
                self._hash.update(numpy.ascontiguousarray(value).tobytes())
            return
        elif numpy is not None and isinstance(value, numpy.generic):
            return self._hash.update(value.tobytes())
        elif numpy is not None and isinstance(value, (numpy.random.RandomState, numpy.random.Generator)):
            todo.append(value.bit_generator.state if hasattr(value, "bit_generator") else value.get_state())
        if isinstance(value, dict):
            self._mapping("items", value, todo)
        elif isinstance(value, (list, tuple)):
            todo.append(list(value))
        elif isinstance(value, (set, frozenset)):
            todo.append(set(value))
        elif isinstance(value, str):
            self._mark(str(value))
        elif isinstance(value, (int, float)):
            self._mark(repr(float(value)))
        elif hasattr(value, "popleft"):
            todo.append(list(value))
        attributes = getattr(value, "__dict__", None)
        if isinstance(attributes, dict):
            todo.append(dict(attributes))
        for base in kind.__mro__:
            slots = base.__dict__.get("__slots__", ())
            for name in (slots,) if isinstance(slots, str) else slots:
                todo.append(getattr(value, name, None))

    def _tensor(self, torch, value, todo):
        plain = value.detach()
        self._mark(str(plain.dtype), tuple(plain.shape), value.requires_grad, str(plain.device))
        if plain.layout is torch.strided and plain.device.type == "cpu" and not plain.is_quantized:
            flat = plain.contiguous().reshape(-1)
            if flat.numel():
                flat = flat if flat.dtype is torch.bool else flat.view(torch.uint8)
                self._hash.update(memoryview(flat.numpy()).cast("B"))
        else:
            self._mark(repr(plain))
        if value.is_leaf and value.grad is not None:
            todo.append(value.grad)


def _filled(cell):
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True


def _reduced(iterator):
    """What is left in an iterator, without taking from it."""
    try:
        return list(iterator.__reduce__()[1:])
    except Exception:
        return type(iterator).__name__


def take(frame, own_modules):
    """The digest of the program that stands at `frame`; `own_modules` are its own ones."""
    digest = Digest()
    while frame is not None:
        if frame.f_globals.get("__faultline__") is None:
            digest._mark("frame", frame.f_code.co_qualname)
            digest.add(dict(frame.f_locals) if frame.f_locals is not frame.f_globals else {})
        frame = frame.f_back
    for module in own_modules:
        names = {name: value for name, value in vars(module).items()
                 if not (name.startswith("__") and name.endswith("__"))}
        digest.add(names)
    digest.add(random.getstate())
    if "numpy" in sys.modules:
        digest.add(sys.modules["numpy"].random.get_state())
    if "torch" in sys.modules:
        torch = sys.modules["torch"]
        digest.add(torch.get_rng_state())
        digest.add([torch.is_grad_enabled(), str(torch.get_default_dtype())])
    return digest
