import numpy
import oracle


@oracle.inside
def scan(first, count):
    """Digits that were not trained on, drawn with dark ink on paper, as files; and what they are."""
    import os
    import tempfile

    import numpy
    import tensorflow as tf
    from sklearn.datasets import load_digits

    digits = load_digits()
    folder = tempfile.mkdtemp(prefix="scans-")
    names = []
    for number in range(first, first + count):
        ink = numpy.kron(digits.images[number], numpy.ones((6, 6))) / 16
        paper = 250 - 225 * ink - numpy.random.uniform(0, 5, ink.shape)
        names.append(os.path.join(folder, f"scan{number}.png"))
        tf.io.write_file(names[-1], tf.io.encode_png(paper.astype("uint8")[..., None]))
    return names, digits.target[first : first + count]


program = oracle.load("mydigits")
model = oracle.call(program.train, 1500)
names, labels = scan(1500, 150)
found = numpy.array(oracle.call(program.recognise, model, names))
oracle.check(found.shape == labels.shape, f"{found.shape} answers for {len(names)} scans")
share = float((found == labels).mean())
print("share of scans that are read", share)
oracle.check(share >= 0.75, f"only {share:.2f} of the scans are recognised, expected at least 0.75")
