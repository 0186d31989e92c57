import torch
from torch.utils.data import Subset

import oracle

EPOCHS = 8
used = []  # the learning rate of every step that is really taken
step = torch.optim.SGD.step


def watched_step(optimizer, *arguments, **named):
    used.append(optimizer.param_groups[0]["lr"])
    return step(optimizer, *arguments, **named)


torch.optim.SGD.step = watched_step

train = oracle.load("train")
train_data, val_data = oracle.call(train.load_data)
few = Subset(train_data, range(200))
# With so small a rate the validation loss stalls from the start.
history = oracle.call(train.fit, train.build_model(), few, val_data, epochs=EPOCHS, lr=1e-5)

oracle.check(len(used) >= EPOCHS and len(used) % EPOCHS == 0, f"{len(used)} steps in {EPOCHS} epochs")
steps = len(used) // EPOCHS
actual = [used[epoch * steps] for epoch in range(EPOCHS)]
oracle.check(actual[-1] < 0.5 * actual[0], f"the learning rate does not fall: {actual}")
oracle.check(
    len(history.lr) == EPOCHS
    and all(abs(float(logged) - rate) <= 1e-6 * rate for logged, rate in zip(history.lr, actual)),
    f"the log shows learning rates from {history.lr[0]:.1e} to {history.lr[-1]:.1e}, "
    f"training used {actual[0]:.1e} to {actual[-1]:.1e}",
)
