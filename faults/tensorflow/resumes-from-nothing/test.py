import numpy
import oracle


@oracle.inside
def state(run):
    return int(run.epoch), [v.numpy() for v in run.model.trainable_variables], [v.numpy() for v in run.optimizer.slots]


@oracle.inside
def fresh_folder():
    import tempfile

    return tempfile.mkdtemp(prefix="runs-")


program = oracle.load("resume")
folder = fresh_folder()
data = oracle.call(program.make_data, 128)

run = program.Run(folder)
oracle.call(run.load)
history = oracle.call(run.train, data, 12)
oracle.check(len(history) == 12, f"{len(history)} epochs were trained, expected 12")
left = state(run)

again = program.Run(folder)
oracle.call(again.load)
found = state(again)
oracle.check(found[0] == 12, f"the second run resumes at epoch {found[0]}, expected 12")
for part in (1, 2):
    oracle.check(
        all(numpy.array_equal(old, new) for old, new in zip(left[part], found[part])),
        "the second run has not got the state of the first",
    )
history = oracle.call(again.train, data, 15)
oracle.check(len(history) == 3, f"{len(history)} epochs were trained to get from 12 to 15")

other = program.Run(fresh_folder())
oracle.call(other.load)
oracle.check(state(other)[0] == 0, "a run in an empty folder does not start at epoch 0")
