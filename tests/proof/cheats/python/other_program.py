# Becomes another program, with the connection to the test still open.
# verdict: the program ended early with exit status 0
import os
import sys

FORGER = "import os; os.write(1, b'pass'); os.write(2, b'pass')"


def answer():
    os.set_inheritable(3, True)
    os.environ["LD_PRELOAD"] = "./program/none.so"
    os.execv(sys.executable, [sys.executable, "-S", "-c", FORGER])
