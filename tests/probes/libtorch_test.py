"""The probe for LibTorch, on one program that is compiled once and does what it is asked to do wrong."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "libtorch", "train.cpp")
sys.path.insert(0, os.path.join(HERE, "..", "..", "probes"))

from faultline_watch import decode  # noqa: E402

FAULTLINE = os.environ["FAULTLINE_BINARY"]
LIBRARIES = ["-ltorch", "-ltorch_cpu", "-lc10"]


def line_of(mark):
    with open(SOURCE) as file:
        return next(number for number, line in enumerate(file, 1) if line.rstrip().endswith("// " + mark))


class Probe(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = os.path.realpath(cls.place.name)
        shutil.copy(SOURCE, cls.folder)
        cache = ["ccache"] if shutil.which("ccache") else []
        flags = ["-std=c++17", "-O1", "-g1", f"-fdebug-prefix-map={cls.folder}=.",
                 "-I/usr/include/torch/csrc/api/include"]
        cls.run_in_folder([*cache, "g++", *flags, "-c", "train.cpp", "-o", "train.o"])
        cls.run_in_folder(["g++", "train.o", "-o", "train", *LIBRARIES])

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    @classmethod
    def run_in_folder(cls, command):
        done = subprocess.run(command, cwd=cls.folder, capture_output=True, timeout=500)
        if done.returncode != 0:
            raise AssertionError(f"{command}: {done.stderr.decode()[-3000:]}")

    def plain(self, *arguments):
        return subprocess.run(["./train", *arguments], cwd=self.folder, capture_output=True, timeout=120)

    def watch(self, *arguments, options=(), command="./train"):
        """What was found, and what the program itself printed."""
        found = os.path.join(self.folder, "findings.json")
        done = subprocess.run([FAULTLINE, "watch", "--format", "json", "--output", found, *options, "--", command,
                               *arguments], cwd=self.folder, capture_output=True, timeout=120)
        with open(found) as file:
            return json.load(file), done

    def findings(self, *arguments):
        report, _ = self.watch(*arguments)
        return {item["rule"]: item for item in report}

    def with_probe(self, *arguments):
        """The program as `watch` starts it, with its own status."""
        probe = os.path.join(os.path.dirname(os.path.realpath(FAULTLINE)), "libfaultline_watch_torch.so")
        with tempfile.TemporaryFile() as stream:
            variables = {**os.environ, "LD_PRELOAD": probe, "FAULTLINE_WATCH_FD": str(stream.fileno())}
            done = subprocess.run(["./train", *arguments], cwd=self.folder, capture_output=True, timeout=120,
                                  env=variables, pass_fds=[stream.fileno()])
            stream.seek(0)
            return done, list(decode.events(stream.read()))

    def test_a_healthy_program_is_left_alone(self):
        self.assertEqual({}, self.findings("healthy"))

    def test_weights_are_the_same_with_and_without_the_probe(self):
        without = self.plain("healthy")
        self.assertEqual(0, without.returncode, without.stderr)
        self.assertGreater(len(without.stdout), 400)
        for options in ([], ["--every", "1"]):
            _, watched = self.watch("healthy", options=options)
            self.assertEqual(without.stdout, watched.stdout)
            self.assertEqual(0, watched.returncode, watched.stderr)

    def test_gradients_that_are_never_cleared(self):
        found = self.findings("accumulate")["TR048"]
        self.assertEqual(("train.cpp", line_of("BACKWARD")), (found["file"], found["line"]))

    def test_layers_that_are_not_registered(self):
        found = self.findings("unregistered")["TR047"]
        self.assertEqual(("train.cpp", line_of("HIDDEN")), (found["file"], found["line"]))
        self.assertEqual("warning", found["severity"])

    def test_an_evaluation_in_training_mode(self):
        found = self.findings("training-mode")["TR055"]
        self.assertEqual(("train.cpp", line_of("TEST")), (found["file"], found["line"]))

    def test_a_sum_that_keeps_the_graph(self):
        found = self.findings("keep")["TR080"]
        self.assertEqual(("train.cpp", line_of("KEEP")), (found["file"], found["line"]))

    def test_memory_of_another_type(self):
        found = self.findings("misread")["TR081"]
        self.assertEqual(("train.cpp", line_of("BLOB")), (found["file"], found["line"]))

    def test_memory_is_judged_when_it_is_read(self):
        # It looks wrong when it is handed over, and gets the right values before anything reads it.
        healthy = self.plain("healthy").stdout
        for mode in ("floats-later", "copied-later"):
            found, done = self.watch(mode)
            self.assertEqual([], found, mode)
            self.assertEqual(healthy, done.stdout, mode)
        # It looks right, and gets the wrong ones.
        found = self.findings("doubles-later")["TR081"]
        self.assertEqual(("train.cpp", line_of("BLOB")), (found["file"], found["line"]))

    def test_an_exception_that_nobody_catches(self):
        found = self.findings("crash")
        self.assertTrue(any(item["file"] == "train.cpp" and item["line"] == line_of("LOSS")
                            for item in found.values()), found)
        plain, (watched, events) = self.plain("crash"), self.with_probe("crash")
        self.assertEqual(-6, plain.returncode)
        said = [done.stderr.splitlines()[:2] for done in (plain, watched)]  # addresses follow
        self.assertEqual((plain.returncode, plain.stdout, said[0]), (watched.returncode, watched.stdout, said[1]))
        self.assertEqual(134, events[-1]["status"])

    def test_what_is_recorded(self):
        trace = os.path.join(self.folder, "kept.trace")
        self.watch("healthy", options=["--trace", trace])
        with open(trace, "rb") as file:
            events = list(decode.events(file.read()))
        kinds = {kind: [event for event in events if event["event"] == kind]
                 for kind in {event["event"] for event in events}}
        self.assertEqual(40, len(kinds["step"]))
        self.assertLess(kinds["step"][-1]["loss"], kinds["step"][0]["loss"])
        self.assertEqual("SGD", kinds["optimizer"][0]["kind"])
        self.assertEqual(0.9, kinds["optimizer"][0]["settings"]["momentum"])
        layers = {layer["name"]: layer for layer in kinds["layer"]}
        self.assertLessEqual({"hidden0", "hidden1", "norm", "head", "relu"}, set(layers))
        self.assertEqual(("Linear", "BatchNorm1d"), (layers["head"]["kind"], layers["norm"]["kind"]))
        self.assertEqual([True, True], layers["head"]["optimised"])
        order = {layer["order"]: layer["kind"] for layer in kinds["layer"]}
        self.assertEqual(["Linear", "relu", "Linear", "relu", "BatchNorm1d", "Linear"],
                         [order[place] for place in sorted(order)])
        loss = kinds["loss"][0]
        self.assertEqual(("cross_entropy", "mean", line_of("LOSS")),
                         (loss["kind"], loss["reduction"], loss["site"]["line"]))
        self.assertEqual(([24, 4], [24, 3]), (loss["input"]["shape"], loss["prediction"]["shape"]))
        self.assertEqual((False, 1), (kinds["evaluation"][0]["training_mode"], kinds["evaluation"][0]["batches"]))
        self.assertEqual((0, 40), (kinds["end"][0]["status"], kinds["end"][0]["steps"]))


if __name__ == "__main__":
    unittest.main()
