import numpy
import oracle


@oracle.inside
def slopes(module, model, features, alignment, tries):
    """Of the loss in random directions: as the tape says, and as the loss itself changes."""
    import numpy
    import tensorflow as tf

    variables = model.trainable_variables
    with tf.GradientTape() as tape:
        loss = module.alignment_loss(model, features, alignment)
    gradients = [tf.convert_to_tensor(gradient).numpy() for gradient in tape.gradient(loss, variables)]
    values = [variable.numpy() for variable in variables]
    pairs = []
    for _ in range(tries):
        ways = [numpy.random.choice([-1.0, 1.0], value.shape).astype("float32") for value in values]
        told = sum(float((gradient * way).sum()) for gradient, way in zip(gradients, ways))
        ends = []
        for size in (2e-3, -2e-3):
            for variable, value, way in zip(variables, values, ways):
                variable.assign(value + size * way)
            ends.append(float(module.alignment_loss(model, features, alignment)))
        pairs.append((told, (ends[0] - ends[1]) / 4e-3))
    for variable, value in zip(variables, values):
        variable.assign(value)
    return pairs


program = oracle.load("frames")
features, units = oracle.call(program.make_sequences, 96)
alignment = oracle.call(program.align, units)
model = program.FrameModel()
told, real = numpy.array(slopes(program, model, features[:8], oracle.call(program.align, units[:8]), 12)).T
wrong = float(numpy.linalg.norm(told - real) / numpy.linalg.norm(real))
oracle.check(
    wrong < 0.05,
    f"the gradient is not that of the loss: its slopes are {100 * wrong:.0f} % off, expected at most 5 %",
)
oracle.call(program.train, model, features, alignment)
error = oracle.call(program.frame_error, model, *oracle.call(program.make_sequences, 64))
oracle.check(error <= 0.2, f"frame error rate {error:.3f}, expected at most 0.2")
