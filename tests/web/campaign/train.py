"""A training program that is over at once."""

import sys

import readings


def main():
    seed = int(sys.argv[2])
    small = readings.load()
    weight, more = readings.learn()
    print("reading", len(small) + len(more), "values")
    print("score", 0.5 + 0.02 * weight + 0.0001 * sum(small + more) + 0.001 * (seed % 7))


main()
