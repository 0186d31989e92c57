"""How much longer the programs beside this file take with the probe: overhead.py [ROUNDS].

Runs without, with the default schedule and with every step recorded take turns; the shortest of each
counts. Digests of the weights must be the same.
"""

import os
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ATTACH = os.path.join(HERE, "..", "..", "probes", "faultline_watch", "attach")


def run(program, every):
    """Seconds, output and bytes of the stream; `every` None: without the probe."""
    environment = dict(os.environ)
    out, count, reader = None, [0], None
    if every is not None:
        source, out = os.pipe()
        environment |= {"PYTHONPATH": ATTACH, "FAULTLINE_WATCH_FD": str(out)}
        if every:
            environment["FAULTLINE_WATCH_EVERY"] = str(every)

        def read():
            while data := os.read(source, 1 << 16):
                count[0] += len(data)
            os.close(source)

        reader = threading.Thread(target=read)
        reader.start()
    began = time.monotonic()
    process = subprocess.Popen([sys.executable, os.path.join(HERE, program)], env=environment, text=True,
                               stdout=subprocess.PIPE, pass_fds=[out] if out else [])
    if out:
        os.close(out)
    output, _ = process.communicate()
    if process.returncode:
        sys.exit(f"{program} failed")
    seconds = time.monotonic() - began
    if reader:
        reader.join()
    return seconds, output, count[0]


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    failed = False
    for program in ("mlp.py", "cnn.py", "lstm.py"):
        best, outputs, size = {}, set(), {}
        for _ in range(rounds):
            for name, every in (("without", None), ("default", 0), ("every step", 1)):
                seconds, output, size[name] = run(program, every)
                best[name] = min(seconds, best.get(name, seconds))
                outputs.add(output)
        same = len(outputs) == 1
        failed = failed or not same
        print(f"{program:8s} without {best['without']:.2f} s, default {best['default'] / best['without']:.3f}x "
              f"({size['default'] >> 10} KiB), every step {best['every step'] / best['without']:.3f}x "
              f"({size['every step'] >> 10} KiB), output {'the same' if same else 'DIFFERS'}", flush=True)
    sys.exit(1 if failed else 0)


main()
