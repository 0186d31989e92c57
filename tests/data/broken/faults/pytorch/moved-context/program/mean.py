"""Print the mean loss of a training run."""


def mean(losses):
    total = sum(losses)
    return total / (len(losses) - 1)


if __name__ == "__main__":
    print("mean loss", mean([1.0, 2.0, 3.0]))
