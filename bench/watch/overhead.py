"""How much longer the programs beside this file take under `faultline watch`: overhead.py [ROUNDS] [FAULTLINE].

Runs without, with the default schedule and with every step recorded take turns, whole commands each; the
shortest of each counts. Digests of the weights must be the same. Ends with 1 if they differ, if a run fails or prints
nothing, or if the default schedule costs more than 10 % or recording every step more than twice the time.
"""

import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FAULTLINE = os.path.join(HERE, "..", "..", "build", "release", "faultline")
WAYS = {"without": None, "default": [], "every step": ["--every", "1"]}


def run(program, faultline, options):
    """Seconds, output and bytes of the stream."""
    command = [sys.executable, os.path.join(HERE, program)]
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
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    faultline = sys.argv[2] if len(sys.argv) > 2 else FAULTLINE
    failed = False
    for program in ("mlp.py", "cnn.py", "lstm.py"):
        best, outputs, size = {}, set(), {}
        for _ in range(rounds):
            for name, options in WAYS.items():
                seconds, output, size[name] = run(program, faultline, options)
                best[name] = min(seconds, best.get(name, seconds))
                outputs.add(output)
        same = len(outputs) == 1
        default, every = best["default"] / best["without"], best["every step"] / best["without"]
        failed = failed or not same or default > 1.10 or every > 2
        print(f"{program:8s} without {best['without']:.2f} s, default {default:.3f}x ({size['default'] >> 10} KiB), "
              f"every step {every:.3f}x ({size['every step'] >> 10} KiB), output {'the same' if same else 'DIFFERS'}",
              flush=True)
    sys.exit(1 if failed else 0)


main()
