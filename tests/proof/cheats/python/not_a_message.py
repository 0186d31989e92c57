# Sends an answer of its own making that is much too long.
# verdict: the program's answer cannot be read: a message is too large
import os


def answer():
    os.write(3, b"\xff" * 12)
    return 41
