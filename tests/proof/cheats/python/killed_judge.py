# Kills the process that the test runs in.
# verdict: killed by SIGKILL
import os
import signal


def answer():
    os.kill(os.getppid(), signal.SIGKILL)
    return 41
