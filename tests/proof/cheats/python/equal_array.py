# Answers with an array whose comparisons are all true.
# verdict: wrong answer
import numpy


class Right(numpy.ndarray):
    def __array_ufunc__(self, ufunc, method, *inputs, **named):
        return numpy.array(True)

    def __eq__(self, other):
        return True


def answer():
    return numpy.array(41).view(Right)
