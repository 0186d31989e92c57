import numpy as np
import oracle


@oracle.inside
def fixed_state(model):
    """What training has estimated besides the weights: means and variances of the layers."""
    return [numbers.numpy().copy() for numbers in model.network.non_trainable_weights if "moving" in numbers.name]


program = oracle.load("progression")
samples, progression, new, actual = oracle.call(program.load)
model = program.ProgressionModel(samples.shape[1])
oracle.call(model.fit, samples, progression, 25)

before = fixed_state(model)
mean, deviation = oracle.call(model.predict, new, 12)
again, _ = oracle.call(model.predict, new, 12)
after = fixed_state(model)

error = np.mean(np.abs(mean - actual))
share = deviation.mean() / progression.std()
print(f"mean error {error:.1f}; spread of the answers {share:.4f} of that of the targets")
oracle.check(len(before) == 4, "the network has lost its normalisation")
oracle.check(share >= 0.02, f"every answer is given without any doubt: spread {share:.4f}")
oracle.check(np.all(deviation > 0) and deviation.std() > 0, "some answers have no spread")
oracle.check(
    all(np.array_equal(a, b) for a, b in zip(before, after)),
    "asking the model changes it: the samples that are asked about go into its moving averages",
)
oracle.check(np.mean(np.abs(mean - again)) <= deviation.mean(), "the means of 12 draws differ by more than one draw does")
oracle.check(error <= 65, f"mean error {error:.1f}, expected at most 65")
