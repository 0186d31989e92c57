import oracle

train = oracle.load("train")
training, testing = oracle.call(train.load_data)
model = oracle.call(train.train, *training)
oracle.metric("reconstruction_error", train.reconstruction_error(model, *testing))
