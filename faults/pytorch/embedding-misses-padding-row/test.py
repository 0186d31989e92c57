import oracle

train = oracle.load("train")
preprocessor, training, testing = oracle.call(train.load_data)
model = oracle.call(train.train, preprocessor, *training)
accuracy = oracle.call(train.evaluate, model, *testing)
oracle.check(accuracy >= 0.65, f"test accuracy {accuracy:.3f}, expected at least 0.65")
