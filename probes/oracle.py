"""What a fault's test.py needs: load or run the program, check, measure.

A test lies beside this file; the program under test is the working directory.
The verdict is the exit status: 0 passes, anything else fails. A program that
ends early, even with success, fails the test that loads it.
"""

import contextlib
import importlib
import io
import os
import random
import runpy
import subprocess
import sys
import traceback

# The seed of this run. `verify --repeat N` runs a test with N of them.
seed = int(os.environ.get("FAULTLINE_SEED", "0"))


class _Tee(io.TextIOBase):
    """Keep what the program prints and print it all the same."""

    def __init__(self, screen):
        self.screen = screen
        self.kept = io.StringIO()

    def write(self, text):
        self.kept.write(text)
        return self.screen.write(text)

    def flush(self):
        self.screen.flush()


class Run:
    """What a script left behind: its global names and its printed output."""

    def __init__(self, names, output):
        self.names = names
        self.output = output

    def __getattr__(self, name):
        if name in self.names:
            return self.names[name]
        fail(f"the program does not define `{name}`")


def fail(message):
    """End the test: the program is wrong in the way `message` says."""
    sys.stdout.flush()
    print(f"FAIL: {message}", file=sys.stderr, flush=True)
    sys.exit(1)


def check(condition, message):
    """Fail with `message` unless `condition` holds."""
    if not condition:
        fail(message)


def metric(name, value):
    """Report a measured value; a statistical oracle judges it."""
    print(f"metric {name} {float(value)!r}", flush=True)


def load(module):
    """Import a module of the program, with every random generator seeded."""
    _prepare()
    with _no_early_exit():
        return importlib.import_module(module)


def call(function, *arguments, **named):
    """Call a function of the program; an early exit inside it fails the test."""
    with _no_early_exit():
        return function(*arguments, **named)


def run(script, *arguments):
    """Run a script of the program as `python3 script arguments…` would."""
    _prepare()
    screen, argv = sys.stdout, sys.argv
    tee = _Tee(screen)
    sys.stdout, sys.argv = tee, [script, *arguments]
    try:
        with _no_early_exit():
            names = runpy.run_path(script, run_name="__main__")
    finally:
        sys.stdout, sys.argv = screen, argv
    return Run(names, tee.kept.getvalue())


def execute(command, timeout=None):
    """Run a command in the program's folder; return its exit status and output.

    The status is None when `timeout` seconds passed first.
    """
    sys.stdout.flush()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        try:
            output, _ = process.communicate(timeout=timeout)
            status = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
            status = None
    print(output, end="", flush=True)
    return status, output


def _prepare():
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    random.seed(seed)
    import numpy

    numpy.random.seed(seed)
    import torch

    torch.manual_seed(seed)


@contextlib.contextmanager
def _no_early_exit():
    try:
        yield
    except SystemExit as early:
        traceback.print_exc()
        fail(f"the program ended early with exit status {early.code!r}")
