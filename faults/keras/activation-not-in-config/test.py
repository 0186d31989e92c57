import tempfile

import numpy as np
import oracle


@oracle.inside
def answers(model, images):
    import numpy

    return numpy.asarray(model(images, training=False))


@oracle.inside
def save(model, path):
    model.save(path)


oracle.load("mixer")
train = oracle.load("train")
serve = oracle.load("serve")
images, test_images, labels, test_labels = oracle.call(train.load_data)
model = oracle.call(train.train, images[:900], labels[:900], 10)
before = answers(model, test_images)

path = tempfile.mkdtemp() + "/digits.keras"
save(model, path)
reader = oracle.call(serve.Reader, path)
after = np.asarray(oracle.call(reader.probabilities, test_images))
digits = np.asarray(oracle.call(reader.read, test_images))

right, still_right = np.mean(before.argmax(axis=1) == test_labels), np.mean(digits == test_labels)
print(f"accuracy {right:.3f} as trained, {still_right:.3f} as loaded")
oracle.check(
    float(np.abs(before - after).max()) <= 1e-4,
    f"the loaded model answers otherwise: {np.abs(before - after).max():.3f} apart, accuracy {still_right:.2f}",
)
oracle.check(right >= 0.7, f"accuracy of the trained model {right:.3f}")
