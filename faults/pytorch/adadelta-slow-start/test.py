import oracle

train = oracle.load("train")
losses, accuracy = oracle.call(train.main, [])
oracle.metric("train_loss", losses[-1])
