import math

import oracle

train = oracle.load("train")
losses, test_loss, accuracy = oracle.call(train.main, ["--epochs", "3"])

first, last = float(losses[0]), float(losses[-1])
oracle.check(len(losses) == 3, f"{len(losses)} epochs were logged, expected 3")
oracle.check(math.isfinite(first) and last < 0.5 * first, f"the loss went from {first:.4f} to {last:.4f}")
oracle.check(math.isfinite(float(test_loss)), f"the loss on the test graphs is {test_loss}")
oracle.check(accuracy >= 0.9, f"accuracy {accuracy:.3f}, expected at least 0.9")
