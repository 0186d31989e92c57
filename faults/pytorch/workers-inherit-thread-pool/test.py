import oracle

PATIENCE = 4  # seconds; the measurement itself takes a fraction of one


train = oracle.load("train")
images, labels = oracle.call(train.load_data)
oracle.call(train.train, images, labels)
train.torch.set_num_threads(train.THREADS)
clean = oracle.call(train.accuracy_with_noise, 0.0)

try:
    slight, strong = oracle.call(train.measure, (0.1, 0.8), timeout=PATIENCE)
except oracle.Timeout:
    oracle.fail(f"the workers hang: no accuracy after {PATIENCE} seconds")

print(f"accuracy {clean:.3f}, {slight:.3f} with slight noise, {strong:.3f} with strong noise")
oracle.check(clean >= 0.9 and slight >= 0.8, f"accuracy {clean:.3f}, with slight noise {slight:.3f}")
oracle.check(strong < slight, f"strong noise does not lower the accuracy: {strong:.3f}")
