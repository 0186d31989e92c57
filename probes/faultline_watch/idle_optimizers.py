"""Optimizers that the program made and forgot: their parameters get gradients, and nobody steps."""

import weakref

FEWEST_STEPS = 20  # of others, before one that has not stepped is forgotten rather than late


class IdleOptimizers:
    def __init__(self, say):
        self.say = say
        self.sites = weakref.WeakKeyDictionary()  # of optimizers that have not stepped
        self.moved = set()                        # ids of the parameters of those that have

    def made(self, optimizer, site):
        self.sites[optimizer] = site

    def stepped(self, optimizer):
        """Every step."""
        if optimizer in self.sites:
            del self.sites[optimizer]
            self.moved.update(map(id, _parameters(optimizer)))

    def tell(self, steps):
        """At the end of the program. One that it has thrown away is not forgotten."""
        if steps < FEWEST_STEPS or not self.moved:
            return
        for optimizer, site in list(self.sites.items()):
            waiting = [parameter for parameter in _parameters(optimizer)
                       if parameter.requires_grad and id(parameter) not in self.moved]
            if waiting and all(map(_has_gradient, waiting)):
                self.say("optimizer-never-steps", site, parameters=len(waiting), steps=steps,
                         kind=type(optimizer).__name__)


def _has_gradient(parameter):
    gradient = parameter.grad
    return gradient is not None and not gradient.is_sparse and bool(gradient.any())


def _parameters(optimizer):
    return [parameter for group in optimizer.param_groups for parameter in group["params"]]
