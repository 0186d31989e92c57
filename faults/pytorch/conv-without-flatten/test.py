import oracle

train = oracle.load("train")
training, testing = oracle.call(train.load_data)
model = oracle.call(train.train, *training)
accuracy = oracle.call(train.evaluate, model, *testing)
oracle.check(accuracy >= 0.5, f"test accuracy {accuracy:.3f}, expected at least 0.5")
