# No cheat at all: what the buggy program gives fails.
# verdict: wrong answer
def answer():
    return 41
