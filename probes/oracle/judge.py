"""The process that a test runs in. It alone can report the verdict.

The judge loads nothing of the program and never evaluates what comes from it. Before the subject
is forked it becomes a process that others of the same user can neither trace nor look into.
"""

import atexit
import ctypes
import json
import os
import signal
import socket
import sys

from . import codec, subject
from .channel import Channel, Closed, Late
from .handle import Handle

LONGEST_MESSAGE = 2000


class ProgramError(Exception):
    """The program raised something; its traceback is in the log."""


class Timeout(Exception):
    """The program did not answer in time. It has been stopped."""


class Judge:
    """The state of a test: what was checked, what was measured, whether it failed."""

    def __init__(self):
        self.checks = 0
        self.metrics = {}
        self.failure = None
        # The seed of this run. `verify --repeat N` runs a test with N of them.
        self.seed = int(os.environ.get("FAULTLINE_SEED", "0"))
        number = os.environ.pop("FAULTLINE_RESULT_FD", None)
        self.report = None if number is None else int(number)
        if self.report is not None:
            os.set_inheritable(self.report, False)
        if ctypes.CDLL(None).prctl(subject.PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
            raise OSError("cannot shut this process off from the program")
        self.started = None
        atexit.register(self.finish)
        sys.excepthook = self.note_exception

    def program(self):
        """The subject, which starts when the first of the program is asked for."""
        if self.started is None:
            self.started = Program(self)
        return self.started

    def note_exception(self, kind, error, trace):
        if kind is ProgramError:  # the traceback that matters has been printed by the subject
            self.note_failure(f"the program raised {error}")
        else:
            self.failure = self.failure or f"{kind.__name__}: {error}".rstrip(": ")
            sys.stdout.flush()
            sys.__excepthook__(kind, error, trace)

    def note_failure(self, message):
        self.failure = self.failure or message
        sys.stdout.flush()
        print(f"FAIL: {message}", file=sys.stderr, flush=True)

    def finish(self):
        """The end of the test: stop the subject, then say what came out."""
        if self.started is not None:
            self.started.stop()
        if self.failure is None and not self.checks and not self.metrics:
            self.note_failure("the test checked nothing")
        sys.stdout.flush()
        if self.report is not None:
            text = json.dumps({
                "verdict": "pass" if self.failure is None else "fail",
                "message": (self.failure or "")[:LONGEST_MESSAGE],
                "checks": self.checks,
                "metrics": {name: repr(value) for name, value in self.metrics.items()},
            })
            os.write(self.report, text.encode() + b"\n")
        elif self.failure is None:
            print("pass", flush=True)
        if self.failure is not None:
            os._exit(1)


class Program:
    """The subject, as the judge sees it."""

    def __init__(self, judge):
        self.judge = judge
        # Both processes need them, and what is loaded before the fork is loaded once.
        subject.seed_generators(judge.seed)
        sys.stdout.flush()
        sys.stderr.flush()
        ours, theirs = socket.socketpair()
        self.process = os.fork()
        if self.process == 0:
            atexit.unregister(judge.finish)
            ours.close()
            subject.main(theirs, judge.seed)
        theirs.close()
        self.channel = Channel(ours, os.pidfd_open(self.process))
        close_the_folder()

    def thing(self, fields):
        match fields:
            case ["thing", int(number), str(kind)]:
                return Handle(self, number, kind)
        raise codec.Broken("not a value")

    @staticmethod
    def refer(value):
        if type(value) is Handle:
            return ["thing", value._number]
        raise codec.Unsendable(
            f"a {type(value).__name__} cannot be handed to the program; make it in an observer"
        )

    def ask(self, *request, timeout=None):
        if self.process is None:
            fail(self.judge, "the program has ended")
        try:
            self.channel.send(codec.pack(list(request), self.refer))
            answer = self.channel.receive(self.thing, timeout)
        except Closed:
            fail(self.judge, self.how_it_ended())
        except Late:
            self.stop()
            raise Timeout(f"no answer after {timeout:g} seconds") from None
        except codec.Broken as error:
            fail(self.judge, f"the program's answer cannot be read: {error}")
        match answer:
            case ["value", value]:
                return value
            case ["missing", str(text)]:
                raise AttributeError(text.removeprefix("AttributeError: "))
            case ["raised", str(text)]:
                raise ProgramError(text)
            case ["ended", str(code)]:
                fail(self.judge, f"the program ended early with exit status {code}")
        fail(self.judge, "the program's answer cannot be read: not an answer")

    def how_it_ended(self):
        status = self.stop()
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) != signal.SIGKILL:
            return f"the program was killed by {signal.Signals(os.WTERMSIG(status)).name}"
        if os.WIFSIGNALED(status):
            return "the program was killed, or closed its connection to the test"
        return f"the program ended early with exit status {os.WEXITSTATUS(status)}"

    def stop(self):
        """End the subject and its group; return the raw status."""
        if self.process is None:
            return 0
        process, self.process = self.process, None
        try:
            os.killpg(process, signal.SIGKILL)
        except OSError:
            pass
        os.kill(process, signal.SIGKILL)
        return os.waitpid(process, 0)[1]


def close_the_folder():
    """Import nothing more from the folder of the test: the program may write there."""
    mine = {"", os.getcwd(), os.path.dirname(os.path.dirname(os.path.abspath(__file__)))}
    sys.path[:] = [path for path in sys.path if path not in mine]


def fail(judge, message):
    """End the test: the program is wrong in the way `message` says."""
    judge.note_failure(message)
    sys.exit(1)
