"""Tensors among the arguments and results of calls."""

import torch


def tensors_in(value):
    """All tensors in lists, tuples and dictionaries, in their order."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from tensors_in(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from tensors_in(part)
