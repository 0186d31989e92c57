# A thread ends the process with success while the answer is awaited.
# verdict: the program ended early with exit status 0
import os
import threading
import time

threading.Timer(0.01, os._exit, [0]).start()


def answer():
    time.sleep(20)
