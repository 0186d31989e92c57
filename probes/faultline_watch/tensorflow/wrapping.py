"""Wraps functions so that neither the program nor TensorFlow's own converter of code takes them for the program's."""

import contextlib
import functools
import inspect


def wrap(owner, name, make):
    """Replace a function of a class or module by `make(original)`, once."""
    original = owner.__dict__.get(name) if isinstance(owner, type) else getattr(owner, name, None)
    if original is None or not callable(original) or hasattr(original, "watched_"):
        return
    wrapper = functools.wraps(original)(make(original))
    wrapper.watched_ = True
    with contextlib.suppress(ValueError, TypeError):
        wrapper.__signature__ = inspect.signature(original)  # Keras reads how its classes are made
    wrapper.autograph_info__ = {}  # AutoGraph calls it as it is, and goes on converting what it calls
    setattr(owner, name, wrapper)
