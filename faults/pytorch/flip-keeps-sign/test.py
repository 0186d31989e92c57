import oracle

train = oracle.load("train")
images, offsets, _ = oracle.call(train.make_windows, "train", 1000)
model = train.make_model()
oracle.call(train.train, model, images, offsets, epochs=8)
held_out = oracle.call(train.make_windows, "t10k", 200)
overlap = oracle.call(train.evaluate, model, *held_out)
oracle.check(overlap >= 0.72, f"overlap {overlap:.3f} with the boxes of the digits, expected at least 0.72")
