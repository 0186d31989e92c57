# Ends the process with success before the answer is due.
# verdict: the program ended early with exit status 0
import os
import signal
import time

signal.signal(signal.SIGALRM, lambda *event: os._exit(0))
signal.setitimer(signal.ITIMER_REAL, 0.01)


def answer():
    time.sleep(20)
