import numpy as np

import oracle

demand = oracle.load("demand")
readings, power = oracle.call(demand.make_readings)
model = oracle.call(demand.DemandModel)
history = oracle.call(model.fit, readings, power)

columns = np.column_stack([readings, np.ones(len(power))]).astype(np.float64)
solution = np.linalg.lstsq(columns, power.astype(np.float64), rcond=None)[0]
lowest = np.mean((columns @ solution - power) ** 2)
losses = [loss for _, loss in history]
excess = np.mean(losses[-4:]) / lowest - 1
rates = [rate for rate, _ in history]
print(f"learning rate {rates[0]:.5f} to {rates[-1]:.5f}, at last {100 * excess:.1f} % above the least error")
oracle.check(len(history) >= 10, f"only {len(history)} epochs were trained")
oracle.check(rates[-1] < rates[0] / 3, f"the learning rate stays at {rates[-1]:.4f} and the error {100 * excess:.0f} % above the least")
oracle.check(excess < 0.05, f"the error ends {100 * excess:.1f} % above the least possible one, expected less than 5 %")
