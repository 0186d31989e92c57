import numpy
import oracle


@oracle.inside
def merging_layers(model):
    """How many layers join two paths through the network."""
    return sum(isinstance(layer.input, (list, tuple)) and len(layer.input) == 2 for layer in model.layers)


program = oracle.load("segment")
pictures, masks = oracle.call(program.draw_cells, 40)
model = oracle.call(program.train, pictures, masks)
joined = merging_layers(model)
oracle.check(joined >= 2, f"{joined} skip connections are left")

pictures, masks = oracle.call(program.draw_cells, 12)
marked = numpy.array(model.predict(pictures, verbose=0))
size = marked.shape[1]
oracle.check(marked.shape == (12, size, size, 1) and 8 <= size <= 60, f"masks of shape {marked.shape}")
border = (60 - size) // 2
true = masks[:, border : border + size, border : border + size] > 0.5
overlap = float(numpy.sum((marked > 0.5) & true) / numpy.sum((marked > 0.5) | true))
print(f"masks of {size} pixels, intersection over union {overlap:.3f}")
oracle.check(overlap >= 0.6, f"intersection over union {overlap:.3f}, expected at least 0.6")
