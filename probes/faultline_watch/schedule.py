"""Which steps are looked at closely. By number, not by clock, so that two runs record the same."""

EVERY = 50


def due(step, every=0):
    if every:
        return step % every == 0
    return usual(step)


def next_after(step, every=0):
    """The first step after this one that is looked at closely."""
    if every:
        return (step // every + 1) * every
    step += 1
    while not usual(step):
        step += 1
    return step


def usual(step):
    if step < 5:
        return True
    if step <= 50:
        return step % 5 == 0
    if step <= 200:
        return step % 10 == 0
    return step % EVERY == 0
