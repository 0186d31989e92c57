import numpy
import oracle


@oracle.inside
def lookup(model, indices):
    """What the first layer with weights makes of some indices."""
    import numpy

    layer = next(layer for layer in model.layers if layer.weights)
    return numpy.array(layer(numpy.array(indices)))


program = oracle.load("ner")
groups = [label for label in ("A", "B") for _ in range(3)]
words = ["ana", "bruno", "carla", "lisbon", "porto", "recife"]
word2idx, vectors = oracle.call(program.embeddings.make_vectors, words, groups)
oracle.check(vectors.shape == (8, 8), f"vectors of the shape {vectors.shape}")
model = oracle.call(program.create_model, vectors)


def check_vectors(when):
    found = lookup(model, [word2idx[word] for word in words])
    expected = numpy.array([vectors[word2idx[word]] for word in words])
    oracle.check(
        found.shape == expected.shape and numpy.allclose(found, expected, atol=1e-6),
        f"{when} the layer does not hold the vectors that were given",
    )


check_vectors("before training")
inputs = numpy.random.default_rng(1).integers(2, 8, (240, 5))
labels = (inputs[:, 2] >= 5).astype(int)
model.fit(inputs, labels, epochs=12, verbose=0)
check_vectors("after training")
accuracy = float(numpy.mean(numpy.array(model.predict(inputs, verbose=0)).argmax(axis=1) == labels))
print(f"accuracy {accuracy:.3f}")
oracle.check(accuracy >= 0.8, f"accuracy {accuracy:.3f}, expected at least 0.8")
