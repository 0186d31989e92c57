import tempfile

import oracle

prices = oracle.load("prices")
paths = oracle.call(prices.write_files, tempfile.mkdtemp(), 3, 40)
weights, bias, losses = oracle.call(prices.train, paths, 30, 20)
print(f"{len(losses)} steps, weights {[round(w, 2) for w in weights]}, bias {bias:.2f}")
oracle.check(len(losses) == 180, f"{len(losses)} steps, expected 180: 30 times 120 sales in batches of 20")
wanted = [0.8, 1.5, -0.6, -0.4]
off = max(abs(a - b) for a, b in zip([*weights, bias], [*wanted, 2.0]))
oracle.check(len(weights) == 4 and off <= 0.1, f"the weights are off by {off:.2f}, expected at most 0.1")
