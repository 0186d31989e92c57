# Answers with a number that is equal to every other.
# verdict: wrong answer
class Right(int):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = int.__hash__


def answer():
    return Right(41)
