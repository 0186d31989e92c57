"""Clocks that do not see what the campaign engine does between two lines of a program.

A variant is a fork of a clean run that may have stood still for minutes before. To the program its
clocks go on as if nothing had happened: wall clocks leave out the time stood still, CPU clocks go on
where the parent's stood. Every reading, and every sum and difference of readings, is a `Seconds`, so
that two runs can be compared but for the time they took.
"""

__faultline__ = True

import time


class Seconds(float):
    """A time that was read from a clock, or made of such times."""

    __slots__ = ()


def _closed(name):
    plain = getattr(float, name)

    def operate(self, *others):
        result = plain(self, *others)
        return Seconds(result) if type(result) is float else result

    return operate


for _name in ("__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__", "__truediv__",
              "__rtruediv__", "__neg__", "__abs__", "__round__", "__mod__", "__pos__"):
    setattr(Seconds, _name, _closed(_name))

real_perf = time.perf_counter
real_cpu = time.process_time

_still = 0.0  # wall seconds that the program stood still
_before = 0.0  # CPU seconds of this program's run before this process was forked
_hidden = 0.0  # CPU seconds that were the engine's, not the program's


def stand_still(seconds):
    global _still
    _still += seconds


def hide_cpu(seconds):
    global _hidden
    _hidden += seconds


def cpu():
    """The CPU seconds of the program so far, whatever processes it ran in."""
    return _before + real_cpu() - _hidden


def begin_child(parent_cpu):
    """In a fork: go on where the parent's program stood."""
    global _before, _hidden
    _before, _hidden = parent_cpu, real_cpu()


def _without_pauses(real):
    return lambda: Seconds(real() - _still)


def install():
    """From now on the program's clocks are ours."""
    wall = {name: getattr(time, name) for name in ("time", "perf_counter", "monotonic")}
    for name, real in wall.items():
        setattr(time, name, _without_pauses(real))
    time.process_time = lambda: Seconds(cpu())
