"""Runs a program with the probe and reads what it wrote."""

import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROBE = os.path.join(ROOT, "probes", "faultline_watch")
BENCH = os.path.join(ROOT, "bench", "watch")
sys.path.insert(0, os.path.join(ROOT, "probes"))

from faultline_watch import decode  # noqa: E402


class Run:
    """How a program ended and what the probe said."""

    def __init__(self, status, output, errors, stream):
        self.status, self.output, self.errors, self.stream = status, output, errors, stream
        self.events = list(decode.events(stream)) if stream else []

    def all(self, kind, /, **wanted):
        return [event for event in self.events if event["event"] == kind
                and all(event.get(key) == value for key, value in wanted.items())]

    def one(self, kind, /, **wanted):
        found = self.all(kind, **wanted)
        if len(found) != 1:
            raise AssertionError(f"{len(found)} events {kind} {wanted}, expected one; {self.errors[-2000:]}")
        return found[0]

    def layer(self, number):
        return self.all("layer", id=number)[-1]


class Watching(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(textwrap.dedent(text).lstrip("\n"))
        return path

    def start(self, command, probe, environment):
        with tempfile.TemporaryFile() as stream:
            variables = {**os.environ, **environment}
            if probe:
                paths = [os.path.join(PROBE, "attach"), environment.get("PYTHONPATH")]
                variables |= {"FAULTLINE_WATCH_FD": str(stream.fileno()),
                              "PYTHONPATH": os.pathsep.join(filter(None, paths))}
            done = subprocess.run(command, cwd=self.folder, env=variables, text=True, capture_output=True,
                                  pass_fds=[stream.fileno()] if probe else [], timeout=240)
            stream.seek(0)
            return Run(done.returncode, done.stdout, done.stderr, stream.read())

    def python(self, program, *arguments, probe=True, every=0):
        """Run a program text, or a file of bench/watch, in a folder of its own."""
        path = program if os.path.isabs(program) else self.write("train.py", program)
        name = os.path.basename(path) if path.startswith(self.folder) else path
        environment = {"FAULTLINE_WATCH_EVERY": str(every)} if every and probe else {}
        run = self.start([sys.executable, name, *arguments], probe, environment)
        self.assertEqual([], run.all("problem"), run.errors)
        return run

    def node(self, program, probe=True):
        self.write("train.js", program)
        os.symlink(os.path.join(ROOT, "node_modules"), os.path.join(self.folder, "node_modules"))
        hook = ["--require", os.path.join(PROBE, "tfjs.js")] if probe else []
        run = self.start(["node", *hook, "train.js"], probe, {})
        self.assertEqual([], run.all("problem"), run.errors)
        return run
