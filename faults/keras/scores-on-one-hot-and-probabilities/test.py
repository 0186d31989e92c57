import numpy as np
import oracle


@oracle.inside
def recognise(classifier, bands):
    """What the network itself says, as numbers of the classes in alphabetical order."""
    import numpy

    return numpy.asarray(classifier.model(classifier.scaler.transform(bands), training=False)).argmax(axis=1)


cover = oracle.load("cover")
classifier = cover.CoverClassifier()
oracle.call(classifier.fit, *oracle.call(cover.pixels, 1500))
bands, kinds = oracle.call(cover.pixels, 500)
matrix, report = oracle.call(classifier.assess, bands, kinds)

names = sorted(["meadow", "forest", "water", "field", "town"])
expected = np.zeros((5, 5), dtype=int)
for kind, answer in zip(kinds, recognise(classifier, bands)):
    expected[names.index(str(kind)), answer] += 1
right = np.trace(expected) / expected.sum()
print(f"{right:.3f} of the pixels are right")
oracle.check(right >= 0.85, f"only {right:.3f} of the pixels are right")
oracle.check(
    np.asarray(matrix).shape == (5, 5) and np.array_equal(np.asarray(matrix), expected),
    "the confusion matrix is not that of the predictions",
)
oracle.check(all(name in report for name in names), "the report lacks classes")
support = {line.split()[0]: line.split() for line in report.splitlines() if line.strip().split(" ")[0] in names}
recalls = {name: float(support[name][2]) for name in names}
oracle.check(
    all(abs(recalls[name] - expected[i, i] / max(1, expected[i].sum())) <= 0.01 for i, name in enumerate(names)),
    "the recalls of the report are not those of the predictions",
)
