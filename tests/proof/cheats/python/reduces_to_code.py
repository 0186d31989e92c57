# Answers with an object that runs code where it is unpickled.
# verdict: wrong answer
import os


class Bomb:
    def __reduce__(self):
        return os._exit, (0,)


def answer():
    return Bomb()
