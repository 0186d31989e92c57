"""Fits a line by gradient descent in plain Python: a training program that starts in no time."""

import json
import sys

POINTS = [(x / 10, 0.5 * x / 10 + 0.2) for x in range(10)]


def load(seed):
    shift = 0.001 * (seed % 7)
    return [(x, y + shift) for x, y in POINTS]


def epoch(points, slope, offset, rate):
    for x, y in points:
        wrong = slope * x + offset - y
        slope -= rate * wrong * x
        offset -= rate * wrong
    return slope, offset


def main():
    seed = int(sys.argv[2])
    points = load(seed)
    slope, offset = 0.0, 0.0
    for number in range(20):
        slope, offset = epoch(points, slope, offset, 0.3)
    loss = sum((slope * x + offset - y) ** 2 for x, y in points)
    print("fitted", round(1 / (1 + loss), 6))
    with open("metrics.json", "w") as stream:
        json.dump({"test": {"loss": loss}}, stream)


if __name__ == "__main__":
    main()
