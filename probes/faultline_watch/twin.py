"""Forked copies of the program.

A *standby* copy waits at a recent step. When the program meets a value that is not finite, the copy
is told at which step, runs the same steps again and looks at every operation of that one. Another
copy, made at the first step, tries experiments on the model. Neither writes to the program's
stream: what they find comes through a pipe and the program's own process passes it on.
"""

import os
import random
import resource
import signal
import struct
import threading
import time

import torch

from . import experiments, isolation
from .stream import Stream

RENEW_SECONDS = 2.0
LOOK_SECONDS = 0.25
# At the end of the program copies may go on for this long after its start, or for a small share of the time it took.
PATIENCE = float(os.environ.get("FAULTLINE_WATCH_PATIENCE", "4"))
SHARE = 0.03


class Copy:
    def __init__(self, process, control, results):
        self.process = process
        self.control = control
        self.results = results
        self.pending = bytearray()
        os.set_blocking(results, False)

    def drain(self):
        """Whole frames that have come, and whether more may come."""
        alive = True
        try:
            while True:
                data = os.read(self.results, 1 << 16)
                if not data:
                    alive = False
                    break
                self.pending += data
        except BlockingIOError:
            pass
        at = 0
        while at + 4 <= len(self.pending):
            (length,) = struct.unpack_from("<I", self.pending, at)
            if at + 4 + length > len(self.pending):
                break
            at += 4 + length
        frames = bytes(self.pending[:at])
        del self.pending[:at]
        return frames, alive

    def end(self):
        os.close(self.control)
        os.close(self.results)
        try:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
        except (ProcessLookupError, ChildProcessError):
            pass


def _shares_memory():
    """Whether there is memory that a copy would not get for itself: weights after share_memory(), a file mapped to
    be written. What a copy changes there the program would see."""
    try:
        with open("/proc/self/maps") as maps:
            return any(line.split(None, 2)[1] == "rw-s" for line in maps)
    except OSError:
        return True


class Twins:
    def __init__(self, recorder):
        self.recorder = recorder
        self.inside = False      # this process is a copy
        self.impossible = False
        self.target = None       # inside: the step to look at
        self.standby = None
        self.working = []
        self.renewed = 0.0
        self.looked = 0.0

    # In the program.

    def possible(self):
        if threading.active_count() != 1 or threading.current_thread() is not threading.main_thread():
            return False
        if torch.cuda.is_initialized() or _shares_memory():
            return False
        own = {copy.process for copy in [*self.working, self.standby] if copy is not None}
        try:
            with open(f"/proc/self/task/{os.getpid()}/children") as children:
                return {int(child) for child in children.read().split()} <= own
        except OSError:
            return False

    def prepare(self):
        """Have a standby copy of the program as it is now."""
        if self.inside or self.recorder.incident is not None:
            return
        if self.standby is not None and self.recorder.step == 0:
            return
        self.renewed = time.monotonic()
        self.impossible = not self.possible()
        if self.impossible:
            return
        old = self.standby
        copy, control = self._fork()
        if copy is not None:
            self.standby = copy
            if old is not None:
                old.end()
        else:
            self._stand_by(control)

    def _fork(self):
        """(copy, None) in the program, (None, control) in the copy."""
        control_out, control_in = os.pipe()
        results_out, results_in = os.pipe()
        state = random.getstate()
        self.recorder.stream.flush()
        process = os.fork()
        if process:
            os.close(control_out)
            os.close(results_in)
            return Copy(process, control_in, results_out), None
        try:
            random.setstate(state)  # Python seeds its generator anew in a child
            self.inside = True
            self.standby, self.working = None, []
            isolation.detach({control_out, results_in})
            self.recorder.stream = Stream(results_in, magic=b"")
            self.recorder.on = True
            return None, control_out
        except BaseException:
            os._exit(1)

    def experiment(self, tape, loss, value, step):
        if self.inside or not tape.complete or not self.possible():
            return
        optimizers = [reference() for reference in self.recorder.optimizers if reference() is not None]
        copy, _ = self._fork()
        if copy is not None:
            self.working.append(copy)
            return
        try:
            self.recorder.on = False
            os.nice(5)
            torch.set_num_threads(1)
            resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
            experiments.run(step, tape, loss, value, optimizers, self.recorder.stream, self.recorder.sites)
        finally:
            os._exit(0)

    def trace(self, step):
        """Find out what made the first value that is not finite, at `step`."""
        copy, self.standby = self.standby, None
        if copy is None:
            return
        try:
            os.write(copy.control, b"%d\n" % step)
            self.working.append(copy)
        except OSError:
            copy.end()

    def step_done(self, step, now):
        if self.inside:
            if self.target is not None and step > self.target + 2:
                os._exit(0)
            return
        if now - self.looked < LOOK_SECONDS:
            return
        self.looked = now
        self._pass_on()
        if now - self.renewed > RENEW_SECONDS:
            self.prepare()

    def _pass_on(self):
        for copy in list(self.working):
            frames, alive = copy.drain()
            self.recorder.stream.raw(frames)
            if not alive:
                self.working.remove(copy)
                copy.end()

    def finish(self):
        """The program ends: wait a little for copies that are at work."""
        if self.inside:
            os._exit(0)
        if self.standby is not None:
            self.standby.end()
            self.standby = None
        began, now = self.recorder.began, time.monotonic()
        until = max(began + PATIENCE, now + SHARE * (now - began))
        while self.working and time.monotonic() < until:
            self._pass_on()
            time.sleep(0.01)
        for copy in self.working:
            copy.end()
        self.working = []

    # In the standby copy.

    def _stand_by(self, control):
        try:
            message = os.read(control, 64)
            if not message:
                os._exit(0)
            self.target = int(message)
            os.nice(5)
            torch.set_num_threads(1)
            resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
            isolation.refuse_writes(torch)
            recorder = self.recorder
            recorder.end_check()
            recorder.begin_step()
        except BaseException:
            os._exit(1)

    def traces(self, step):
        return self.inside and self.target is not None and self.target - 1 <= step <= self.target + 2

    def traced(self):
        if self.inside:
            os._exit(0)
