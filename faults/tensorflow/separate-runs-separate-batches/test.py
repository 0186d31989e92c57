import numpy as np

import oracle

seeds = oracle.load("seeds")
training, testing = oracle.call(seeds.samples)
classifier = oracle.call(seeds.Classifier, training, testing)
loss = oracle.call(classifier.train)
oracle.check(loss <= 0.4, f"the training loss ends at {loss:.3f}")
table = oracle.call(classifier.confusion)
again = oracle.call(classifier.confusion)

w, b = oracle.call(classifier.session.run, [classifier.w, classifier.b])
x, y = testing
guesses = (x @ w + b).argmax(axis=1)
expected = {}
for label, guess in zip(y.tolist(), guesses.tolist()):
    expected[label, guess] = expected.get((label, guess), 0) + 1
actual = float(np.mean(guesses == y))
counted = sum(table.values())
hits = sum(count for (label, guess), count in table.items() if label == guess)
print(f"the model has {actual:.3f}, the table {hits} of {counted}")
oracle.check(actual >= 0.85, f"the trained model has an accuracy of {actual:.3f}")
oracle.check(
    {pair: count for pair, count in table.items() if count} == expected,
    f"the table says {hits} of {counted} are right, and it is {int((guesses == y).sum())} of {len(y)}",
)
oracle.check(dict(again) == dict(table), "a second evaluation gives another table")
