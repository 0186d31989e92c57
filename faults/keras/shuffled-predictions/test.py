import numpy as np
import oracle


@oracle.inside
def recognise(model, scans):
    import numpy

    return numpy.asarray(model(scans, training=False)).argmax(axis=1)


program = oracle.load("report")
learning, testing = oracle.call(program.read_folders)
model = oracle.call(program.learn, learning)

expected = np.zeros((10, 10), dtype=int)
for digit in range(10):
    for answer in recognise(model, testing[str(digit)][..., np.newaxis] / 16):
        expected[digit, answer] += 1
actual = np.trace(expected) / expected.sum()

for attempt in range(2):
    accuracy, confusion = oracle.call(program.report, model, testing)
    confusion = np.asarray(confusion)
    shown = np.trace(confusion) / max(1, confusion.sum())
    print(f"accuracy of the model {actual:.3f}, as reported {accuracy:.3f}, of the confusion matrix {shown:.3f}")
    oracle.check(abs(float(accuracy) - actual) <= 0.01 and actual >= 0.75, f"accuracy {actual:.3f}, reported {accuracy:.3f}")
    oracle.check(
        confusion.shape == (10, 10) and np.array_equal(confusion, expected),
        f"by the confusion matrix only {shown:.2f} are right, by the predictions {actual:.2f}",
    )
