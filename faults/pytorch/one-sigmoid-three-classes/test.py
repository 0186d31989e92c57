import oracle

train = oracle.load("train")
training, validation = oracle.call(train.load_data)
model = oracle.call(train.train, training, validation)
accuracy = train.accuracy(model, *validation)
oracle.check(accuracy >= 0.8, f"final accuracy {accuracy:.3f}, expected at least 0.8")
predicted = set(train.predict(model, validation[0]).tolist())
oracle.check(predicted == {0, 1, 2}, f"only the classes {sorted(predicted)} are ever predicted")
