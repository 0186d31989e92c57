import os
import tempfile

import oracle

EPOCHS = 16

program = oracle.load("train_price")
training = oracle.call(program.make_offers, 80)
validation = oracle.call(program.make_offers, 120)
with tempfile.TemporaryDirectory() as folder:
    history = oracle.call(program.train, training, validation, folder, EPOCHS)
    losses = [float(loss) for loss in history["val_loss"]]
    kept = [name for name in os.listdir(folder) if name.endswith(".keras")]
    oracle.check(len(losses) == EPOCHS, f"{len(losses)} epochs of {EPOCHS}")
    model = oracle.call(program.best_model, folder)

error = float(model.evaluate(*validation, verbose=0))
print(f"{len(kept)} models kept, lowest loss {min(losses):.4f}, last {losses[-1]:.4f}")
oracle.check(
    abs(error - min(losses)) < 1e-3,
    f"the model in use has a loss of {error:.4f}, the best had {min(losses):.4f}",
)
better = [loss for epoch, loss in enumerate(losses) if all(loss < other for other in losses[:epoch])]
oracle.check(
    len(kept) <= len(better), f"{len(kept)} models are kept, {len(better)} epochs were better than before"
)
