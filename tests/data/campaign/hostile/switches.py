"""One switch a function; a mutation that turns a False into a True makes the program hostile.

Each function is named after what it then does; expected.json says how such a run ends.
"""

import ctypes
import os
import pathlib
import signal
import sys
import threading
import time


def endless_loop():
    wanted = False
    while wanted:
        pass


def endless_sleep():
    wanted = False
    while wanted:
        time.sleep(60)


def ignores_signals_and_hangs():
    wanted = False
    if wanted:
        for number in range(1, 32):
            if number not in (signal.SIGKILL, signal.SIGSTOP):
                signal.signal(number, signal.SIG_IGN)
        while True:
            time.sleep(1)


def fork_bomb():
    wanted = False
    while wanted:
        os.fork()


def thread_bomb():
    wanted = False
    while wanted:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()


def memory_bomb():
    wanted = False
    hoard = []
    while wanted:
        hoard.append(b"x" * 2**24)


def segfault():
    wanted = False
    if wanted:
        ctypes.string_at(0)


def abort():
    wanted = False
    if wanted:
        os.abort()


def kills_itself():
    wanted = False
    if wanted:
        os.kill(os.getpid(), signal.SIGKILL)


def kills_its_parent():
    wanted = False
    if wanted:
        os.kill(os.getppid(), signal.SIGKILL)
        raise RuntimeError("tried to end the process above")


def output_bomb():
    wanted = False
    while wanted:
        print("x" * 1000)


def disk_bomb():
    wanted = False
    if wanted:
        with open("bomb", "wb") as file:
            while True:
                file.write(b"x" * 2**20)


def exits_with_3():
    wanted = False
    if wanted:
        sys.exit(3)


def exits_at_once():
    wanted = False
    if wanted:
        os._exit(0)


def raises():
    wanted = False
    if wanted:
        raise ValueError("switched on")


def recurses():
    wanted = False
    if wanted:
        recurses()


def removes_its_files():
    wanted = False
    if wanted:
        for path in pathlib.Path(".").iterdir():
            path.unlink()


def leaves_a_thread():
    """A thread that is no daemon keeps the interpreter from ending."""
    wanted = False
    if wanted:
        threading.Thread(target=time.sleep, args=(3600,)).start()


def leaves_a_daemon_thread():
    wanted = False
    if wanted:
        threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()


def leaves_a_child():
    """A child in a session of its own that keeps the output open."""
    wanted = False
    if wanted and os.fork() == 0:
        os.setsid()
        time.sleep(3600)
        os._exit(0)


def closes_its_files():
    """Descriptors of whoever runs the program included."""
    wanted = False
    if wanted:
        os.closerange(3, 1024)


def writes_to_all_files():
    wanted = False
    if wanted:
        for number in range(3, 64):
            try:
                os.write(number, b'{"accuracy": 1}\n\0\xff garbage')
            except OSError:
                pass


def nan_metric(value):
    wanted = False
    return float("nan") if wanted else value


def infinite_metric(value):
    wanted = False
    return float("inf") if wanted else value


def invalid_metric(value):
    wanted = False
    return value + 7 if wanted else value


def no_metric():
    wanted = False
    return wanted


def crashes_after_metrics():
    wanted = False
    if wanted:
        raise RuntimeError("after everything was written")
