import oracle

train = oracle.load("train")
model, history = oracle.call(train.train)

oracle.check(
    history[-1] < 0.1,
    f"the loss went from {history[0]:.4f} to {history[-1]:.4f}, expected less than 0.1",
)
predictions = train.predict(model, train.INPUTS)
wrong = int((predictions != train.TARGETS).sum())
oracle.check(wrong == 0, f"{wrong} of 4 rows of the truth table are wrong")
