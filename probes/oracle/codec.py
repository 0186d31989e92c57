"""Values as bytes, for the socket between the judge and the subject.

A message is a JSON text and one run of bytes. JSON says what there is; the elements of arrays and
tensors lie in the bytes. What comes from the subject is not trusted: nothing is evaluated, every
length is checked, and a value is of exactly the type that its tag names.
"""

import json
import math
import struct
import sys

HEAD = struct.Struct("!IQ")  # lengths of the JSON text and of the bytes
MOST_TEXT = 16 << 20
MOST_BYTES = 256 << 20

DEEPEST = 40
MOST_VALUES = 2_000_000
LONGEST_NUMBER = 10_000  # bits

# Element types that are plain memory: booleans, numbers, fixed-size bytes and text.
ARRAY_KINDS = "?biufcSU"
TENSOR_TYPES = (
    "bool", "uint8", "int8", "int16", "int32", "int64",
    "float16", "bfloat16", "float32", "float64", "complex64", "complex128",
)


class Broken(Exception):
    """What came is not a message."""


class Unsendable(Exception):
    """A value that has no form as bytes."""


def pack(value, refer):
    """The parts of the message that carries `value`.

    `refer(thing)` gives the JSON of what has no form as bytes, or raises Unsendable.
    """
    encoder = _Encoder(refer)
    text = json.dumps(encoder.encode(value, 0)).encode()
    if len(text) > MOST_TEXT or encoder.size > MOST_BYTES:
        raise Unsendable("the value is too large")
    return [HEAD.pack(len(text), encoder.size), text, *encoder.chunks]


def lengths(head):
    """How much follows this head."""
    text, size = HEAD.unpack(head)
    if text > MOST_TEXT or size > MOST_BYTES:
        raise Broken("a message is too large")
    return text, size


def unpack(text, data, refer):
    """The value of a message. `refer(fields)` gives what a reference stands for."""
    try:
        return _Decoder(data, refer).decode(json.loads(text))
    except Broken:
        raise
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        raise Broken(f"not a message: {type(error).__name__}") from None


class _Encoder:
    def __init__(self, refer):
        self.refer = refer
        self.chunks = []
        self.size = 0
        self.values = 0

    def store(self, chunk):
        start = self.size
        self.chunks.append(chunk)
        self.size += len(chunk)
        return [start, len(chunk)]

    def encode(self, value, depth):
        self.values += 1
        if self.values > MOST_VALUES:
            raise Unsendable("the value is too large")
        kind = type(value)
        if value is None or kind in (bool, float, str):
            return value
        if kind is int and value.bit_length() <= LONGEST_NUMBER:
            return value
        if depth > DEEPEST:
            return self.refer(value)
        if kind in (list, tuple, set, frozenset) or _is_plain_tuple(value):
            name = kind.__name__ if kind in (list, set, frozenset) else "tuple"
            return [name, [self.encode(one, depth + 1) for one in value]]
        if isinstance(value, dict) and kind.__module__ in ("builtins", "collections"):
            pairs = [[self.encode(k, depth + 1), self.encode(v, depth + 1)] for k, v in value.items()]
            return ["dict", pairs]
        if kind in (bytes, bytearray):
            return ["bytes", *self.store(bytes(value))]
        if kind in (slice, range):
            parts = [value.start, value.stop, value.step]
            return [kind.__name__, [self.encode(part, depth + 1) for part in parts]]
        return self.encode_array(value)

    def encode_array(self, value):
        numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
        is_numpy = numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic))
        if is_numpy and value.dtype.kind in ARRAY_KINDS and value.dtype.fields is None:
            form = "array" if isinstance(value, numpy.ndarray) else "scalar"
            return [form, value.dtype.str, list(value.shape), *self.store(value.tobytes())]
        if torch is not None:
            if isinstance(value, torch.dtype):
                return ["dtype", str(value).removeprefix("torch.")]
            if isinstance(value, torch.device):
                return ["device", str(value)]
            if type(value) in (torch.Tensor, torch.nn.Parameter) and _is_plain_tensor(value, torch):
                value = value.detach().resolve_conj().resolve_neg().contiguous()
                name = str(value.dtype).removeprefix("torch.")
                raw = value.reshape(-1).view(torch.uint8).numpy().tobytes()
                return ["tensor", name, list(value.shape), *self.store(raw)]
        return self.refer(value)


def _is_plain_tuple(value):
    """torch.Size and what torch's functions return, but no class with names of its own."""
    return isinstance(value, tuple) and not hasattr(value, "_fields")


def _is_plain_tensor(value, torch):
    return (
        value.device.type == "cpu"
        and value.layout == torch.strided
        and str(value.dtype).removeprefix("torch.") in TENSOR_TYPES
    )


class _Decoder:
    def __init__(self, data, refer):
        self.data = data
        self.refer = refer

    def decode(self, tree):
        if tree is None or type(tree) in (bool, int, float, str):
            return tree
        if type(tree) is not list or not tree or type(tree[0]) is not str:
            raise Broken("not a value")
        tag, fields = tree[0], tree[1:]
        make = getattr(self, f"make_{tag}", None) if tag.isalpha() else None
        return self.refer(tree) if make is None else make(*fields)

    def decode_all(self, trees):
        if type(trees) is not list:
            raise Broken("not a list of values")
        return [self.decode(tree) for tree in trees]

    def part(self, start, size):
        if type(start) is not int or type(size) is not int or start < 0 or size < 0:
            raise Broken("not a place in the bytes")
        if start + size > len(self.data):
            raise Broken("more bytes are named than came")
        return self.data[start : start + size]

    def make_list(self, trees):
        return self.decode_all(trees)

    def make_tuple(self, trees):
        return tuple(self.decode_all(trees))

    def make_set(self, trees):
        return set(self.decode_all(trees))

    def make_frozenset(self, trees):
        return frozenset(self.decode_all(trees))

    def make_dict(self, pairs):
        if type(pairs) is not list:
            raise Broken("not a list of pairs")
        return dict(self.decode_all(pair) for pair in pairs)

    def make_slice(self, trees):
        return slice(*self.decode_all(trees))

    def make_range(self, trees):
        return range(*self.decode_all(trees))

    def make_bytes(self, start, size):
        return bytes(self.part(start, size))

    def make_array(self, kind, shape, start, size):
        import numpy

        dtype = numpy.dtype(kind) if type(kind) is str else None
        if dtype is None or dtype.kind not in ARRAY_KINDS or dtype.fields is not None:
            raise Broken("no such array")
        raw = self.part(start, size)
        count = _count(shape)
        if count * dtype.itemsize != len(raw):
            raise Broken("an array is not as long as its shape")
        if dtype.itemsize == 0:
            return numpy.zeros(shape, dtype)
        return numpy.frombuffer(raw, dtype).reshape(shape).copy()

    def make_scalar(self, kind, shape, start, size):
        if shape != []:
            raise Broken("a scalar has no shape")
        return self.make_array(kind, [], start, size)[()]

    def make_tensor(self, kind, shape, start, size):
        import torch

        if kind not in TENSOR_TYPES:
            raise Broken("no such tensor")
        dtype = getattr(torch, kind)
        raw = self.part(start, size)
        if _count(shape) * torch.empty(0, dtype=dtype).element_size() != len(raw):
            raise Broken("a tensor is not as long as its shape")
        if not raw:
            return torch.empty(shape, dtype=dtype)
        return torch.frombuffer(bytearray(raw), dtype=dtype).reshape(shape)

    def make_dtype(self, kind):
        import torch

        dtype = getattr(torch, kind, None) if type(kind) is str else None
        if not isinstance(dtype, torch.dtype):
            raise Broken("no such dtype")
        return dtype

    def make_device(self, name):
        import torch

        if type(name) is not str:
            raise Broken("no such device")
        try:
            return torch.device(name)
        except RuntimeError:
            raise Broken("no such device") from None


def _count(shape):
    if type(shape) is not list or len(shape) > 32:
        raise Broken("not a shape")
    if any(type(size) is not int or not 0 <= size < 1 << 40 for size in shape):
        raise Broken("not a shape")
    return math.prod(shape)
