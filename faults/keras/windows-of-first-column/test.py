import numpy as np
import oracle

water = oracle.load("water")
dataset = oracle.call(water.simulate, 1100)
training, testing = dataset[:800], dataset[800:]
model, losses = oracle.call(water.train, training)
predicted = np.asarray(oracle.call(water.forecast, model, testing)).reshape(-1)
oracle.check(len(predicted) in (294, 295), f"{len(predicted)} forecasts for 300 days and windows of 5")
actual = testing[5:][: len(predicted), 0]
explained = 1 - np.mean((predicted - actual) ** 2) / np.var(actual)

# Rain and warmth of the day before matter; the volume that comes must not be known beforehand.
wet = testing.copy()
wet[:, 2] = 0.9
dry = testing.copy()
dry[:, 2] = 0.0
effect = np.mean(oracle.call(water.forecast, model, dry)) - np.mean(oracle.call(water.forecast, model, wet))
print(f"explained {explained:.3f} of the variance; rain saves {effect:.3f}")
oracle.check(explained >= 0.6, f"forecasts explain {explained:.2f} of the variance, and rain changes them by {effect:.3f}")
oracle.check(0.1 <= effect <= 0.6, f"rain changes the forecast by {effect:.3f}, expected about 0.3")
