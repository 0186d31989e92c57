"""Running commands: quietly, with their progress, in the background."""

import os
import re
import signal
import subprocess
import sys
import time

from testing.digest import ROOT

LOGS = ROOT / "build" / "test-logs"


def say(text):
    print(text, file=sys.stderr, flush=True)


def bold(text):
    return f"\033[1m{text}\033[0m" if sys.stderr.isatty() else text


def duration(seconds):
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes}:{seconds:02}"


class Progress:
    """Says now and then how far something is: in place on a terminal, else a line every half minute."""

    def __init__(self, name):
        self.name, self.start, self.said = name, time.monotonic(), time.monotonic()
        self.on_terminal = sys.stderr.isatty()

    def at(self, where):
        now = time.monotonic()
        if now - self.said < (0.2 if self.on_terminal else 30):
            return
        self.said = now
        line = f"  {self.name}: {where} ({duration(now - self.start)})"
        print(f"\r\033[K{line}" if self.on_terminal else line, end="" if self.on_terminal else "\n",
              file=sys.stderr, flush=True)

    def done(self):
        if self.on_terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


# "[123/456] Building…" of ninja, " 12/345 Test #3: …" of ctest.
AT = re.compile(r"^\[?\s*(\d+)/(\d+)[\] ]")


def run(name, command, **options):
    """Run a command, its output into a log; show how far it is. Gives its status and the log."""
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / f"{name.replace(' ', '-')}.log"
    progress = Progress(name)
    with open(log, "w") as kept:
        process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", **options,
        )
        for line in process.stdout:
            kept.write(line)
            if at := AT.match(line):
                progress.at(f"{at[1]} of {at[2]}")
        process.wait()
    progress.done()
    return process.returncode, log


def tail(log, lines=40):
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])


class Background:
    """A command beside the others, with what the machine has left; stopped whole if we end first."""

    def __init__(self, name, command):
        LOGS.mkdir(parents=True, exist_ok=True)
        self.log = LOGS / f"{name.replace(' ', '-')}.log"
        self.start = time.monotonic()
        with open(self.log, "w") as kept:
            self.process = subprocess.Popen(
                ["nice", "-n", "19", *command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=kept,
                stderr=subprocess.STDOUT, start_new_session=True,
            )

    def wait(self, name):
        progress = Progress(name)
        while self.process.poll() is None:
            lines = self.log.read_text(errors="replace").splitlines()[-1:]
            at = AT.match(lines[0]) if lines else None
            progress.at(f"{at[1]} of {at[2]}" if at else "…")
            time.sleep(0.2)
        progress.done()
        return self.process.returncode

    def stop(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
