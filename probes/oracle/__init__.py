"""What a fault's test.py needs: load or run the program, check, measure.

A test lies beside this folder; the program under test is the working directory. The test runs in
one process, the judge, and the program in another, the subject (docs/writing-faults.md). Values
come over as values, everything else as a handle to an object that stays where it is.
"""

import marshal
import os
import signal
import subprocess
import sys

from . import judge as _judge
from .judge import ProgramError as ProgramError  # a test may catch them
from .judge import Timeout as Timeout

_state = _judge.Judge()

seed = _state.seed


class Run:
    """What a script left behind: its global names and its printed output."""

    def __init__(self, names, output):
        self.names = names
        self.output = output

    def __getattr__(self, name):
        try:
            return getattr(self.names, name)
        except AttributeError:
            fail(f"the program does not define `{name}`")


def fail(message):
    """End the test: the program is wrong in the way `message` says."""
    _judge.fail(_state, message)


def check(condition, message):
    """Fail with `message` unless `condition`, a value and no object of the program, holds."""
    _state.checks += 1
    if not condition:
        fail(message)


def metric(name, value):
    """Report a measured value; a statistical oracle judges it."""
    _state.metrics[name] = float(value)
    print(f"metric {name} {float(value)!r}", flush=True)


def load(module):
    """Import a module of the program, with every random generator seeded."""
    return _state.program().ask("load", module)


def call(function, *arguments, timeout=None, **named):
    """Call a function of the program; raise `Timeout` if that takes longer than `timeout` seconds."""
    return _state.program().ask("call", function, arguments, named, timeout=timeout)


def run(script, *arguments):
    """Run a script of the program as `python3 script arguments…` would."""
    return Run(*_state.program().ask("run", script, arguments))


def inside(function):
    """Mark an observer: a function of the test that runs beside the program's own objects.

    It stands on its own: what it needs it imports, or it is given as an argument. It returns what
    it saw, which the test then judges: nothing that an observer concludes can be relied on.
    """
    code = function.__code__
    if code.co_freevars or function.__defaults__ or function.__kwdefaults__:
        raise TypeError(f"the observer `{code.co_name}` has defaults or names of other functions")

    def observe(*arguments, timeout=None, **named):
        return _state.program().ask(
            "inside", marshal.dumps(code), arguments, named, timeout=timeout
        )

    return observe


def execute(command, timeout=None):
    """Run a command in the program's folder; return its exit status and output.

    The status is None when `timeout` seconds passed first.
    """
    _judge.close_the_folder()
    sys.stdout.flush()
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=timeout)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # children hold the pipe open, too
            output, _ = process.communicate()
            status = None
    print(output, end="", flush=True)
    return status, output
