import numpy as np

import oracle

battery = oracle.load("battery")
model, scores = oracle.call(battery.run)
x, charge = oracle.call(battery.measurements)
estimates = np.ravel(oracle.call(model.predict, x[1000:], verbose=0))
errors = np.abs(estimates - np.ravel(charge)[1000:])
actual = float((errors <= 5).mean())
print(f"reported {scores['within_tolerance']:.3f}, actual {actual:.3f}; mean error {scores['loss']:.2f}, actual {errors.mean():.2f}")
oracle.check(abs(scores["loss"] - errors.mean()) <= 0.05, f"the loss is {scores['loss']:.2f}, the mean error {errors.mean():.2f}")
oracle.check(actual >= 0.75, f"only {actual:.3f} of the estimates are within 5 points")
oracle.check(
    abs(scores["within_tolerance"] - actual) <= 0.02,
    f"{scores['within_tolerance']:.3f} are said to be within 5 points, and {actual:.3f} are",
)
