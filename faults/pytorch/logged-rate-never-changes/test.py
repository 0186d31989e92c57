import oracle

EPOCHS = 8


@oracle.inside
def fit(train, train_data, val_data, epochs):
    """The rates that the log shows, and that of every step that is really taken."""
    import torch
    from torch.utils.data import Subset

    used = []
    step = torch.optim.SGD.step

    def watched_step(optimizer, *arguments, **named):
        used.append(optimizer.param_groups[0]["lr"])
        return step(optimizer, *arguments, **named)

    torch.optim.SGD.step = watched_step
    few = Subset(train_data, range(200))
    # With so small a rate the validation loss stalls from the start.
    history = train.fit(train.build_model(), few, val_data, epochs=epochs, lr=1e-5)
    return [float(rate) for rate in history.lr], used


train = oracle.load("train")
train_data, val_data = oracle.call(train.load_data)
logged, used = fit(train, train_data, val_data, EPOCHS)

oracle.check(len(used) >= EPOCHS and len(used) % EPOCHS == 0, f"{len(used)} steps in {EPOCHS} epochs")
steps = len(used) // EPOCHS
actual = [used[epoch * steps] for epoch in range(EPOCHS)]
oracle.check(actual[-1] < 0.5 * actual[0], f"the learning rate does not fall: {actual}")
oracle.check(
    len(logged) == EPOCHS and all(abs(shown - rate) <= 1e-6 * rate for shown, rate in zip(logged, actual)),
    f"the log shows learning rates from {logged[0]:.1e} to {logged[-1]:.1e}, "
    f"training used {actual[0]:.1e} to {actual[-1]:.1e}",
)
