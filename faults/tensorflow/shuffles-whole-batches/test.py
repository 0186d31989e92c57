import numpy
import oracle


@oracle.inside
def passes(module, count):
    samples, _ = module.samples_by_class()
    dataset = module.training_input(samples)
    return [[(x.numpy(), y.numpy()) for x, y in dataset] for _ in range(count)]


program = oracle.load("sorter")
first, second = passes(program, 2)
for seen in (first, second):
    labels = numpy.concatenate([y for _, y in seen])
    oracle.check(
        numpy.array_equal(numpy.bincount(labels, minlength=10), [100] * 10),
        f"a pass has {numpy.bincount(labels, minlength=10).tolist()} samples of the classes, expected 100 of each",
    )
oracle.check(
    not numpy.array_equal(numpy.concatenate([y for _, y in first]), numpy.concatenate([y for _, y in second])),
    "two epochs have the same order",
)
classes = numpy.mean([len(numpy.unique(y)) for _, y in first])
oracle.check(classes >= 8, f"a batch has samples of {classes:.1f} classes on average, expected at least 8")
accuracy = float(oracle.call(program.run))
oracle.check(accuracy >= 0.85, f"accuracy {accuracy:.3f}, expected at least 0.85")
