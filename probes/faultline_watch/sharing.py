"""Several libraries in one process share the stream: the one that trains first has it."""

import sys

from .stream import Stream

_moved = {}      # descriptors, and where they are now
_recorders = []


def stream(descriptor):
    """A stream of its own for each library, all to the same place."""
    if descriptor not in _moved:
        first = Stream.out_of_reach(descriptor)
        _moved[descriptor] = first.descriptor
        return first
    return Stream(_moved[descriptor])


def joins(recorder):
    _recorders.append(recorder)


def others(recorder):
    return [other for other in _recorders if other is not recorder and other.on]


def trains(recorder):
    """Called before the first step of a recorder."""
    for other in others(recorder):
        other.withdraw()


def command():
    return [sys.executable, *(sys.orig_argv[1:] or sys.argv)]
