import oracle

program = oracle.load("train")
training = oracle.call(program.words.speak, 80)
validation = oracle.call(program.words.speak, 80)
model = oracle.call(program.get_model)
history = oracle.call(program.train, model, *training, *validation, epochs=40, patience=4)

losses = [float(loss) for loss in history["val_loss"]]
left = float(model.evaluate(*validation, verbose=0)[0])
print(f"{len(losses)} epochs: lowest {min(losses):.4f}, last {losses[-1]:.4f}, left with {left:.4f}")
oracle.check(len(losses) < 40, "the training was not stopped early")
oracle.check(
    abs(left - min(losses)) < 1e-3,
    f"the model is left with a loss of {left:.4f}, its best was {min(losses):.4f}",
)
