import oracle


@oracle.inside
def train(module, epochs, most):
    """The history, unless more than `most` batches are trained on: then None. And their number."""
    import os
    import tempfile

    class TooMany(Exception):
        pass

    step, calls = module.train_step, []

    def counted(*arguments):
        calls.append(len(arguments[2]))
        if len(calls) > most:
            raise TooMany
        return step(*arguments)

    module.train_step = counted
    path = module.write_csv(os.path.join(tempfile.gettempdir(), "patients.csv"))
    model = module.Linear()
    try:
        history = module.train(model, module.read(path), epochs)
    except TooMany:
        history = None
    finally:
        module.train_step = step
    return history, len(calls), sum(calls)


program = oracle.load("progression")
history, batches, examples = train(program, 4, 400, timeout=25)
oracle.check(
    history is not None, f"training hangs: the first epochs of 13 batches have not ended after {batches} batches"
)
oracle.check(len(history) == 4, f"{len(history)} epochs are reported, expected 4")
oracle.check(
    4 * 408 <= examples <= 4 * 442,
    f"{examples} examples are trained on in 4 epochs, expected {4 * 442}",
)
history, _, _ = train(program, 30, 1000, timeout=25)
oracle.check(history is not None and history[-1] < 0.45, "the error does not fall to that of a linear model")
