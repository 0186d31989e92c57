import numpy
import oracle

ROUNDS = 5

spam = oracle.load("spam_words")
generator = numpy.random.default_rng(1)
table = generator.random((400, 20), dtype="float32")
labels = (table[:, 0] > table[:, 1]).astype("float32")
words = [f"word{number}" for number in range(20)]
model = oracle.call(spam.build_model, 20)
before = float(model.evaluate(table[:320], labels[:320], verbose=0)[0])
curve = oracle.call(spam.train, model, table, labels, words, ROUNDS)
after = float(model.evaluate(table[320:], labels[320:], verbose=0)[0])

for name in "loss", "val_loss", "accuracy", "val_accuracy":
    oracle.check(name in curve, f"the learning curve has no {name}")
    print(name, " ".join(f"{float(value):.4f}" for value in curve[name]))
    oracle.check(
        len(curve[name]) == ROUNDS,
        f"the learning curve holds {len(curve[name])} of {ROUNDS} rounds",
    )
losses = [float(value) for value in curve["loss"]]
oracle.check(after < before, f"the model has not learned: loss {before:.4f} before, {after:.4f} after")
oracle.check(
    abs(float(curve["val_loss"][-1]) - after) < 1e-3,
    f"the curve ends at {float(curve['val_loss'][-1]):.4f}, the loss is {after:.4f}",
)
oracle.check(
    abs(losses[0] - before) < 0.1 and losses[0] > losses[-1] and len(set(losses)) == ROUNDS,
    f"the curve {losses} does not tell how the loss of {before:.4f} fell",
)
