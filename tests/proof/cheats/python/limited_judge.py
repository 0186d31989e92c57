# Forbids the process that the test runs in to write.
# verdict: exit status 1: OSError: [Errno 27] File too large
import os
import resource


def answer():
    resource.prlimit(os.getppid(), resource.RLIMIT_FSIZE, (0, 0))
    return 41
