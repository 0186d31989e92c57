"""The process that the program under test runs in.

It is forked from the judge before anything of the program is loaded, and does what the judge asks:
import, call, read an attribute. It checks nothing: what it answers is what the program gave.
"""

import builtins
import contextlib
import ctypes
import importlib
import io
import marshal
import operator
import os
import random
import runpy
import signal
import socket
import sys
import traceback
import types

from . import codec
from .channel import Channel, Closed

PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4


def main(end, seed):
    """Serve the judge at the other end of the socket, and end with it."""
    try:
        leave_the_judge(end)
        Subject(Channel(socket.socket(fileno=3)), seed).serve()
    except Closed:
        os._exit(0)
    finally:  # never back into the test, whose copy this process still has on its stack
        os._exit(1)


def leave_the_judge(end):
    """Keep nothing of the judge but the socket: no descriptor, no process group, no protection."""
    os.dup2(end.fileno(), 3)
    end.detach()
    os.closerange(4, 1 << 16)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.setpgid(0, 0)
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
    sys.excepthook = sys.__excepthook__


class Tee(io.TextIOBase):
    """Keep what the program prints and print it all the same."""

    def __init__(self, screen):
        self.screen = screen
        self.kept = io.StringIO()

    def write(self, text):
        self.kept.write(text)
        return self.screen.write(text)

    def flush(self):
        self.screen.flush()


class Subject:
    def __init__(self, channel, seed):
        self.channel = channel
        self.seed = seed
        self.things = []  # what the judge has handles of

    def keep(self, thing):
        self.things.append(thing)
        return ["thing", len(self.things) - 1, type(thing).__name__[:100]]

    def thing(self, fields):
        return self.things[fields[1]]

    def serve(self):
        while True:
            request, *arguments = self.channel.receive(self.thing)
            answer = self.answer(request, arguments)
            with contextlib.suppress(ValueError, OSError, AttributeError):
                sys.stdout.flush()
                sys.stderr.flush()
            self.channel.send(answer)

    def answer(self, request, arguments):
        try:
            value = getattr(self, request)(*arguments)
            try:
                return codec.pack(["value", value], self.keep)
            except codec.Unsendable:
                return codec.pack(["value", Kept(self.keep(value))], lambda kept: kept.fields)
        except SystemExit as early:
            print_trace(early)
            return codec.pack(["ended", repr(early.code)[:200]], self.keep)
        except BaseException as error:
            missing = request == "get" and isinstance(error, AttributeError)
            if not missing:
                print_trace(error)
            text = " ".join(traceback.format_exception_only(type(error), error)[-1].split())
            return codec.pack(["missing" if missing else "raised", text[:1000]], self.keep)

    # What the judge may ask for.

    def load(self, module):
        self.prepare()
        return importlib.import_module(module)

    def run(self, script, arguments):
        self.prepare()
        screen, argv = sys.stdout, sys.argv
        tee = Tee(screen)
        sys.stdout, sys.argv = tee, [script, *arguments]
        try:
            names = runpy.run_path(script, run_name="__main__")
        finally:
            sys.stdout, sys.argv = screen, argv
        return types.SimpleNamespace(**names), tee.kept.getvalue()

    def inside(self, code, arguments, named):
        names = {"__builtins__": builtins, "__name__": "observer"}
        return types.FunctionType(marshal.loads(code), names)(*arguments, **named)

    def call(self, function, arguments, named):
        return function(*arguments, **named)

    get = staticmethod(getattr)
    set = staticmethod(setattr)
    item = staticmethod(operator.getitem)
    set_item = staticmethod(operator.setitem)
    length = staticmethod(len)
    contains = staticmethod(operator.contains)
    text = staticmethod(repr)

    def iterate(self, thing):
        return iter(thing)

    def following(self, iterator):
        for value in iterator:
            return True, value
        return False, None

    def prepare(self):
        """Start every random generator anew, and find the modules of the program."""
        if os.getcwd() not in sys.path:
            sys.path.insert(0, os.getcwd())
        seed_generators(self.seed)


class Kept:
    """A value that is too large or too deep to send, kept as a whole."""

    def __init__(self, fields):
        self.fields = fields


def seed_generators(seed):
    """Of Python, NumPy and the frameworks that the job names."""
    random.seed(seed)
    import numpy

    numpy.random.seed(seed)
    for framework in os.environ.get("FAULTLINE_SEEDS", "torch").split(","):
        SEEDS[framework](seed)


def seed_torch(seed):
    import torch

    torch.manual_seed(seed)


def seed_tensorflow(seed):
    """No operation runs here: the process that this one forks must be able to start TensorFlow's threads itself."""
    import tensorflow
    from tensorflow.python.framework import ops

    tensorflow.keras.utils.set_random_seed(seed)
    tensorflow.config.experimental.enable_op_determinism()
    # A graph made by hand, as in TensorFlow 1, has a seed of its own, and random operations are refused without one.
    # The default graph is one of them, and making it here would start a thread.
    stack = getattr(ops, "_default_graph_stack", None)
    made_before = getattr(stack, "_global_default_graph", None)
    if made_before is not None:
        made_before.seed = seed
    if not hasattr(ops.Graph, "seeded"):
        make = ops.Graph.__init__

        def make_seeded(graph, *arguments, **named):
            make(graph, *arguments, **named)
            graph.seed = ops.Graph.seeded

        ops.Graph.__init__ = make_seeded
    ops.Graph.seeded = seed


SEEDS = {"torch": seed_torch, "tensorflow": seed_tensorflow}


def print_trace(error):
    """The traceback as the program would have shown it, without the frames that called it."""
    own = os.path.dirname(__file__)
    trace = error.__traceback__
    while trace is not None and os.path.dirname(trace.tb_frame.f_code.co_filename) in (own, ""):
        trace = trace.tb_next
    with contextlib.suppress(ValueError, OSError, AttributeError):
        sys.stdout.flush()
    traceback.print_exception(type(error), error, trace)
