import numpy
import oracle


@oracle.inside
def train(module, model, x, y, steps):
    """The losses, and how far each weight of the last layer goes in some of the first steps."""
    import numpy

    weights, permutation = [], numpy.random.permutation

    def noted(*arguments):  # the program draws a batch before each step
        weights.append(model.w2.numpy())
        return permutation(*arguments)

    numpy.random.permutation = noted
    try:
        losses = module.train(model, x, y, steps)
    finally:
        numpy.random.permutation = permutation
    some = numpy.array(weights[8:16])
    return losses, numpy.abs(numpy.diff(some, axis=0))


program = oracle.load("roman")
x, y = oracle.call(program.make_pairs)
model = program.Model()
losses, far = train(program, model, x, y, 150)
oracle.check(numpy.isfinite(far).all() and (far > 0).mean() > 0.5, "the weights do not move")
alike = float((numpy.abs(far - 0.01) < 0.0002).mean())
print(f"share of moves by the learning rate {alike:.2f}")
oracle.check(
    alike < 0.5,
    f"{100 * alike:.0f} % of the weights move by the learning rate: Adam starts anew in every step",
)
print(f"loss {numpy.mean(losses[-10:]):.3f}")
oracle.check(numpy.mean(losses[-10:]) < 0.25, f"the loss is {numpy.mean(losses[-10:]):.3f}, expected below 0.25")
texts = oracle.call(program.read, model, list(range(1, 100)))
share = sum(text == program.to_roman(number) for number, text in enumerate(texts, start=1)) / 99
oracle.check(share >= 0.5, f"only {share:.2f} of the numerals are right")
