"""The probe that `faultline watch` attaches to a PyTorch program. docs/trace-format.md is what it writes.

The program is neither changed nor aware: nothing happens until it imports torch, then a few
functions of torch are wrapped (patches.py). The recorder (recorder.py) is told what they see.
"""

import importlib.machinery
import os
import sys


def attach(descriptor, every):
    """Record to `descriptor` as soon as the program has imported torch."""
    os.set_inheritable(descriptor, False)
    sys.meta_path.insert(0, _WhenTorchComes(descriptor, every))


class _WhenTorchComes:
    """Finds torch as Python would, and puts the patches in when its import is done."""

    def __init__(self, descriptor, every):
        self.descriptor = descriptor
        self.every = every
        self.process = os.getpid()

    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None or os.getpid() != self.process:
            return spec
        loader = spec.loader
        execute = loader.exec_module

        def execute_and_patch(module):
            execute(module)
            vars(loader).pop("exec_module", None)
            try:
                from . import patches

                patches.install(module, self.descriptor, self.every)
            except Exception:  # the program must run whatever happens here
                if "FAULTLINE_WATCH_DEBUG" in os.environ:
                    raise

        loader.exec_module = execute_and_patch
        return spec
