# Opens the memory of the process that the test runs in, and of the one that started it.
# verdict: wrong answer
import os


def parent_of(pid):
    with open(f"/proc/{pid}/stat") as stream:
        return int(stream.read().rpartition(")")[2].split()[1])


def answer():
    pid = os.readlink("/proc/self")
    for pid in (parent_of(pid), parent_of(parent_of(pid))):
        try:
            open(f"/proc/{pid}/mem", "r+b").close()
        except OSError:
            continue
        raise RuntimeError(f"the memory of process {pid} can be written")
    return 41
