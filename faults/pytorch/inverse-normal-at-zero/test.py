import math

import torch

import oracle

train = oracle.load("train")
samples = oracle.call(train.NormalQMCEngine(4).draw, 512)
infinite = int((~samples.isfinite()).sum())
print(f"{infinite} of {samples.numel()} quasi-random normal samples are not finite")

x, y, test_x, test_y = oracle.call(train.load_data)
model = train.BayesianNetwork(x.size(1))
history = oracle.call(train.train, model, x, y, steps=90)
error = oracle.call(train.evaluate, model, test_x, test_y)
oracle.check(infinite == 0, f"{infinite} samples are infinite; the fit ends with loss {history[-1]} and error {error}")
oracle.check(
    samples.dtype == torch.float32 and abs(samples.mean()) < 0.2 and 0.8 < samples.std() < 1.3,
    f"the samples have mean {samples.mean():.3f} and deviation {samples.std():.3f}",
)
oracle.check(math.isfinite(history[-1]) and history[-1] < 0.8 * history[0], f"the loss ends at {history[-1]}")
oracle.check(error < 0.95, f"test error {error:.3f}, expected less than 0.95")
