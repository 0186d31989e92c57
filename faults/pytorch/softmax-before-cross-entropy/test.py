import oracle

train = oracle.load("train")
model, losses, accuracy = oracle.call(train.run)

oracle.check(losses[-1] <= 0.7, f"the training loss stays at {losses[-1]:.3f}, expected at most 0.7")
oracle.check(accuracy >= 0.85, f"test accuracy {accuracy:.3f}, expected at least 0.85")
