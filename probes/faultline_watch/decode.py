"""Turns a binary stream into the text form: decode.py FILE (or standard input)."""

import json
import math
import struct
import sys
from pathlib import Path

ROLES = ("input", "output", "weight", "gradient", "update")
STEP = struct.Struct("<IIddffI")
TENSOR = struct.Struct("<IIBBHQQQffffffIIf")


def _number(value):
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def _named(names, values):
    pairs = zip(names, values, strict=True)
    return {name: _number(value) if isinstance(value, float) else value for name, value in pairs}


def events(data):
    """The events of a stream, as dictionaries; an incomplete last frame is left out."""
    if data[:8] != b"FLTRACE1":
        raise ValueError("no stream of a probe")
    at = 8
    while at + 5 <= len(data):
        (length,) = struct.unpack_from("<I", data, at)
        frame = data[at + 4: at + 4 + length]
        if len(frame) < length:
            return
        at += 4 + length
        kind, content = frame[:1], frame[1:]
        if kind == b"J":
            yield json.loads(content)
        elif kind == b"S":
            names = ("step", "epoch", "loss", "rate", "accuracy", "seconds", "samples")
            yield {"event": "step", **_named(names, STEP.unpack(content))}
        elif kind == b"T":
            step, layer, role, slot, _, *rest = TENSOR.unpack(content)
            names = ("count", "nan", "inf", "zeros", "mean", "std", "min", "max", "norm", "units", "dead", "saturated")
            yield {"event": "tensor", "step": step, "layer": layer, "role": ROLES[role], "slot": slot,
                   **_named(names, rest)}


def main():
    data = Path(sys.argv[1]).read_bytes() if len(sys.argv) > 1 else sys.stdin.buffer.read()
    for event in events(data):
        print(json.dumps(event))


if __name__ == "__main__":
    main()
