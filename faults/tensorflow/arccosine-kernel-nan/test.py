import numpy
import oracle


@oracle.inside
def values(model):
    return [variable.numpy() for variable in model.trainable_variables]


program = oracle.load("gp")
x, y = oracle.call(program.tide, 50)
model = program.Regression(program.ArcCosine(2), x, y, noise=0.5)
before = values(model)
history = oracle.call(program.fit, model, 30)
after = values(model)
bad = sum(not numpy.isfinite(value).all() for value in after)
oracle.check(bad == 0, f"{bad} of {len(after)} parameters of the model are NaN after training")
oracle.check(
    all(not numpy.allclose(old, new, atol=1e-4) for old, new in zip(before, after)),
    "a parameter has not been trained",
)
print(f"negative log likelihood {history[0]:.3f}, then {history[-1]:.3f}")
oracle.check(
    history[-1] <= history[0] - 0.15,
    f"the negative log likelihood goes from {history[0]:.3f} to {history[-1]:.3f} only",
)
new, level = oracle.call(program.tide, 60)
mean, variance = oracle.call(model.predict, new)
error = float(numpy.sqrt(numpy.mean((mean - level) ** 2)))
oracle.check(error <= 0.45, f"the error of the predictions is {error:.3f}")
oracle.check((variance > -1e-6).all(), "a variance is negative")
