# Becomes root of a user namespace of its own, which may do more, and reaches for the judge again.
# verdict: wrong answer
import ctypes
import os

CLONE_NEWUSER, PTRACE_ATTACH = 0x10000000, 16
libc = ctypes.CDLL(None)


def answer():
    libc.unshare(CLONE_NEWUSER)
    if libc.ptrace(PTRACE_ATTACH, os.getppid(), 0, 0) == 0:
        raise RuntimeError("the judge can be traced")
    return 41
