import oracle

train = oracle.load("train")
images, targets = oracle.call(train.load_data)
model = train.Describer()
history = oracle.call(train.train, model, images, targets)
oracle.check(len(history) >= 1000, f"only {len(history)} steps were trained")
oracle.metric("late_loss", max(history[len(history) // 2:]))
