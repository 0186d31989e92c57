"""What the judge holds of an object that stays in the subject."""


class Handle:
    """Attributes, items, calls and iteration go to the object. It has no truth, order or number:
    what a test judges must be a value."""

    __slots__ = ("_subject", "_number", "_kind")

    def __init__(self, subject, number, kind):
        object.__setattr__(self, "_subject", subject)
        object.__setattr__(self, "_number", number)
        object.__setattr__(self, "_kind", kind)

    def __getattr__(self, name):
        # Python's own protocols are those of this class: numpy, asked for an array of a handle,
        # must not be told by the program where in memory it lies.
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return self._subject.ask("get", self, name)

    def __setattr__(self, name, value):
        self._subject.ask("set", self, name, value)

    def __call__(self, *arguments, **named):
        return self._subject.ask("call", self, arguments, named)

    def __getitem__(self, key):
        return self._subject.ask("item", self, key)

    def __setitem__(self, key, value):
        self._subject.ask("set_item", self, key, value)

    def __len__(self):
        return self._subject.ask("length", self)

    def __contains__(self, value):
        return self._subject.ask("contains", self, value) is True

    def __iter__(self):
        iterator = self._subject.ask("iterate", self)
        while True:
            more, value = self._subject.ask("following", iterator)
            if more is not True:
                return
            yield value

    def __bool__(self):
        raise TypeError(f"{self!r} is an object of the program, which is neither true nor false")

    def __repr__(self):
        return f"<{self._kind} of the program>"
