"""How much longer the programs beside this file take under `faultline watch`: overhead.py [ROUNDS] [FAULTLINE].

`--tensorflow PYTHON` measures the programs for TensorFlow and Keras instead, with an interpreter that has them.

Runs without, with the default schedule and with every step recorded take turns, whole commands each; the
shortest of each counts. Digests of the weights must be the same. Ends with 1 if they differ, if a run fails or prints
nothing, or if the default schedule costs more than 10 % or recording every step more than twice the time (with
TensorFlow, six times).
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FAULTLINE = os.path.join(HERE, "..", "..", "build", "release", "faultline")
TORCH = ("mlp.py", "cnn.py", "lstm.py")
TENSORFLOW = ("keras_cnn.py", "keras_lstm.py", "tape.py")
EVERY_TENSORFLOW = 6  # a compiled step is computed a second time to be looked at
WAYS = {"without": None, "default": [], "every step": ["--every", "1"]}


def run(interpreter, program, faultline, options):
    """Seconds, output and bytes of the stream."""
    command = [interpreter, os.path.join(HERE, program)]
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace")
        watched = options is not None
        if watched:
            command = [faultline, "watch", "--no-live", "--format", "json", "--output",
                       os.path.join(folder, "findings"), "--trace", trace, *options, "--", *command]
        began = time.monotonic()
        # What watch says of the program is not of interest here, unless it fails.
        process = subprocess.run(command, text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE if watched else None)
        seconds = time.monotonic() - began
        good = (0, 1) if watched else (0,)  # 1: there was a finding
        if process.returncode not in good or not process.stdout.strip():
            sys.stderr.write(process.stderr or "")
            sys.exit(f"{program} failed {'when watched ' if watched else ''}with status {process.returncode}"
                     f"{'' if process.stdout.strip() else ' and printed nothing'}")
        size = os.path.getsize(trace) if os.path.exists(trace) else 0
        if watched and size == 0:
            sys.stderr.write(process.stderr)
            sys.exit(f"{program} was not watched: nothing was recorded")
        return seconds, process.stdout, size


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rounds", nargs="?", type=int, default=3)
    parser.add_argument("faultline", nargs="?", default=FAULTLINE)
    parser.add_argument("--tensorflow", metavar="PYTHON")
    given = parser.parse_args()
    interpreter, programs = (given.tensorflow, TENSORFLOW) if given.tensorflow else (sys.executable, TORCH)
    failed = False
    for program in programs:
        best, outputs, size = {}, set(), {}
        for _ in range(given.rounds):
            for name, options in WAYS.items():
                seconds, output, size[name] = run(interpreter, program, given.faultline, options)
                best[name] = min(seconds, best.get(name, seconds))
                outputs.add(output)
        same = len(outputs) == 1
        default, every = best["default"] / best["without"], best["every step"] / best["without"]
        failed = failed or not same or default > 1.10 or every > (EVERY_TENSORFLOW if given.tensorflow else 2)
        print(f"{program:13s} without {best['without']:.2f} s, default {default:.3f}x ({size['default'] >> 10} KiB), "
              f"every step {every:.3f}x ({size['every step'] >> 10} KiB), output {'the same' if same else 'DIFFERS'}",
              flush=True)
    sys.exit(1 if failed else 0)


main()
