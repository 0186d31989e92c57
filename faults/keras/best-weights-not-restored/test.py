import oracle

program = oracle.load("progression")


def check_training(epochs, patience):
    training, validation, _ = oracle.call(program.load_patients)
    network = oracle.call(program.make_network, 10)
    history = oracle.call(program.train, network, training, validation, epochs, patience)
    losses = [float(loss) for loss in history["val_loss"]]
    oracle.check(len(losses) > patience or len(losses) == epochs, f"ended after {len(losses)} epochs")
    oracle.check(len(losses) <= epochs, f"{len(losses)} epochs, {epochs} were asked for")
    kept = float(network.evaluate(*validation, verbose=0))
    print(f"{len(losses)} epochs: lowest {min(losses):.3f}, last {losses[-1]:.3f}, kept {kept:.3f}")
    oracle.check(
        abs(kept - min(losses)) < 1e-3,
        f"the network has a validation loss of {kept:.3f}, its best was {min(losses):.3f}",
    )


check_training(epochs=50, patience=6)  # stops early
check_training(epochs=24, patience=24)  # does not
