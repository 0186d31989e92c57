import oracle

program = oracle.load("few_digits")
training, testing = oracle.call(program.load_images)
oracle.check(
    len(training[1]) == 128 and len(testing[1]) > 1600,
    f"{len(training[1])} images to train on and {len(testing[1])} to test",
)
model = oracle.call(program.build)
history = oracle.call(program.train, model, *training)
last = float(history.history["accuracy"][-1])
same = float(model.evaluate(*training, verbose=0)[1])
new = float(model.evaluate(*testing, verbose=0)[1])
print(f"accuracy {last:.3f} in training, {same:.3f} on the same images, {new:.3f} on new ones")
oracle.check(last >= 0.85, f"accuracy {last:.3f} in training")
oracle.check(
    same >= 0.88, f"accuracy {last:.3f} in training, but {same:.3f} when the same images are recognised"
)
oracle.check(new >= 0.75, f"accuracy {new:.3f} on new images, expected at least 0.75")
