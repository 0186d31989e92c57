"""Curves of scalar values over the steps of a run, kept by name."""


class Curves:
    def __init__(self):
        self.values = {}

    def scalar(self, name, step, value):
        self.values.setdefault(name, {})[step] = float(value)

    def names(self):
        return sorted(self.values)

    def last(self, name):
        steps = self.values[name]
        return steps[max(steps)]

    def write(self, path):
        """One line per value, as the plotting script reads it."""
        with open(path, "w") as file:
            for name in self.names():
                for step, value in sorted(self.values[name].items()):
                    file.write(f"{name},{step},{value:.6f}\n")
