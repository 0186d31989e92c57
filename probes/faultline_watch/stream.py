"""Writes the binary form of the stream."""

import fcntl
import json
import math
import os
import struct
import time

FLUSH_BYTES = 1 << 15
FLUSH_SECONDS = 0.05
LONGEST_FRAME = 1 << 20

_STEP = struct.Struct("<IcIIddffI")


def json_value(value):
    """A value as the text form wants it: numbers that are not finite are words."""
    if isinstance(value, bool) or value is None or isinstance(value, (int, str)):
        return value
    if isinstance(value, dict):
        return {str(key): json_value(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_value(part) for part in value]
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    if math.isnan(number):
        return "nan"
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    return number


class Stream:
    def __init__(self, descriptor, magic=b"FLTRACE1"):
        self.descriptor = descriptor
        self.buffer = bytearray(magic)
        self.open = True
        self.flushed = time.monotonic()

    @classmethod
    def out_of_reach(cls, descriptor):
        """A stream on a descriptor that programs which close or replace low ones do not meet."""
        try:
            high = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 200)
        except OSError:
            return cls(descriptor)
        os.close(descriptor)
        return cls(high)

    def event(self, kind, /, **fields):
        text = json.dumps({"event": kind, **json_value(fields)}, allow_nan=False).encode()
        if len(text) < LONGEST_FRAME:
            self.buffer += struct.pack("<Ic", len(text) + 1, b"J")
            self.buffer += text

    def step(self, step, epoch, loss, rate, accuracy, now, seconds, samples):
        self.buffer += _STEP.pack(37, b"S", step, epoch, loss, rate, accuracy, seconds, samples)
        if len(self.buffer) > FLUSH_BYTES or now - self.flushed > FLUSH_SECONDS:
            self.flush(now)

    def raw(self, frames):
        self.buffer += frames

    def flush(self, now=None):
        self.flushed = now or time.monotonic()
        data, self.buffer = self.buffer, bytearray()
        if not self.open:
            return
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self.descriptor, view):]
        except OSError:  # nobody reads any more
            self.open = False
