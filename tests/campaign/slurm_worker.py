"""A worker as `faultline campaign work` is one, without the campaign:

    slurm_worker.py FOLDER RUNS SECONDS GATES CHUNK

Does RUNS runs of SECONDS each and writes a line for each into FOLDER/chunks/CHUNK.jsonl. Goes on where
an earlier start of the same chunk was killed. GATES, such as 16,32, are chunks from which on a chunk waits
after its first run until FOLDER/gate-16 or FOLDER/gate-32 is there, so that a test knows what is running.
"""

import fcntl
import json
import os
import sys
import time

folder, runs, seconds, chunk = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[5])
gates = [int(gate) for gate in sys.argv[4].split(",") if gate]
gate = max((gate for gate in gates if gate <= chunk), default=None)
file = os.open(f"{folder}/chunks/{chunk}.jsonl", os.O_RDWR | os.O_CREAT | os.O_APPEND)
fcntl.lockf(file, fcntl.LOCK_EX)
text = os.read(file, 1 << 20)
text = text[: text.rfind(b"\n") + 1]
os.ftruncate(file, len(text))
lines = [json.loads(line) for line in text.splitlines()]
if {"done": True} in lines:
    sys.exit(0)


def append(value):
    os.write(file, json.dumps(value, separators=(",", ":")).encode() + b"\n")
    os.fsync(file)


finished = {line["run"] for line in lines}
for run in range(chunk * runs, chunk * runs + runs):
    if run not in finished:
        time.sleep(seconds)
        append({"run": run})
    while gate is not None and not os.path.exists(f"{folder}/gate-{gate}"):
        if not os.path.isdir(folder):
            sys.exit("the test is over")
        time.sleep(0.05)
append({"done": True})
