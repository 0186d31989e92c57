import os
import tempfile

import oracle

solubility = oracle.load("solubility")
x, y = oracle.call(solubility.molecules)
folder = tempfile.mkdtemp()

first = oracle.call(oracle.call(solubility.Regressor, folder).fit, x, y, 30)
oracle.check(any(name.startswith("model") for name in os.listdir(folder)), "the first sitting left no checkpoint")
oracle.check(len(first) == 30 and first[-1] <= 0.25 * first[0], f"the first sitting ends with loss {first[-1]:.3f}")

again = oracle.call(solubility.Regressor, folder)
second = oracle.call(again.fit, x, y, 3, restore=True)
print(f"first sitting: {first[0]:.3f} to {first[-1]:.3f}; second: {second[0]:.3f} to {second[-1]:.3f}")
oracle.check(len(second) == 3, f"{len(second)} epochs in the second sitting, expected 3")
oracle.check(
    second[0] <= 2 * first[-1] + 0.06,
    f"the second sitting starts anew: loss {second[0]:.3f} after an epoch, the first ended with {first[-1]:.3f}",
)

fresh = oracle.call(solubility.Regressor, folder)
oracle.call(fresh.fit, x, y, 0, restore=True)
loss = oracle.call(fresh.evaluate, x, y)
oracle.check(abs(loss - second[-1]) < 1e-3, f"restored without training, the loss is {loss:.3f} and was {second[-1]:.3f}")
