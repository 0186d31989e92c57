"""A program without a framework that trains nothing in a few milliseconds, and can turn hostile.

switches.py has a switch for each bad end; harmless.py has only harmless things to mutate.
"""

import argparse
import json

import harmless
import switches

EPOCHS = 4


def train_epoch(weights, epoch):
    """The checkpoint: returns the loss."""
    if epoch == 1:
        switches.endless_loop()
        switches.endless_sleep()
        switches.ignores_signals_and_hangs()
        switches.fork_bomb()
        switches.thread_bomb()
        switches.memory_bomb()
        switches.segfault()
        switches.abort()
        switches.kills_itself()
        switches.kills_its_parent()
        switches.output_bomb()
        switches.disk_bomb()
        switches.exits_with_3()
        switches.exits_at_once()
        switches.raises()
        switches.recurses()
    for i in range(len(weights)):
        weights[i] += (i + 1 - weights[i]) / 2
    return sum((i + 1 - weight) ** 2 for i, weight in enumerate(weights))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    seed = parser.parse_args().seed
    weights = [0.1 * (seed % 5)] * 8
    switches.removes_its_files()
    switches.leaves_a_thread()
    switches.leaves_a_daemon_thread()
    switches.leaves_a_child()
    switches.closes_its_files()
    switches.writes_to_all_files()
    for epoch in range(EPOCHS):
        loss = train_epoch(weights, epoch)
        print(f"epoch {epoch + 1} loss {loss:.6f}", flush=True)
    harmless.add_up()
    accuracy = 1 / (1 + loss)
    accuracy = switches.nan_metric(accuracy)
    accuracy = switches.infinite_metric(accuracy)
    accuracy = switches.invalid_metric(accuracy)
    if switches.no_metric():
        return
    print(f"test accuracy {accuracy:.4f}", flush=True)
    with open("metrics.json", "w") as file:
        json.dump({"accuracy": accuracy, "loss": loss}, file)
    switches.crashes_after_metrics()


if __name__ == "__main__":
    main()
