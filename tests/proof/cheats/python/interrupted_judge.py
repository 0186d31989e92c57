# Interrupts the process that the test runs in.
# verdict: KeyboardInterrupt
import os
import signal
import time


def answer():
    os.kill(os.getppid(), signal.SIGINT)
    time.sleep(20)
