"""The probe that `faultline watch` attaches to a PyTorch program. docs/trace-format.md is what it writes.

The program is neither changed nor aware: nothing happens until it imports torch, then a few
functions of torch are wrapped (patches.py). The recorder (recorder.py) is told what they see.
"""

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
        self.asking = False

    def find_spec(self, name, path=None, target=None):
        """Asked by an import, or by a program that only wants to know whether there is a torch."""
        if name != "torch" or self.asking or os.getpid() != self.process:
            return None
        self.asking = True  # others may ask all finders as well
        try:
            spec = self._ask_others(name, path, target)
        finally:
            self.asking = False
        if spec is not None and hasattr(spec.loader, "exec_module"):
            self._patch_after(spec.loader)
        return spec

    def _ask_others(self, name, path, target):
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path, target) if finder is not self and hasattr(finder, "find_spec") else None
            if spec is not None:
                return spec
        return None

    def _patch_after(self, loader):
        execute = loader.exec_module

        def execute_and_patch(module):
            execute(module)
            vars(loader).pop("exec_module", None)
            if self not in sys.meta_path:  # torch was imported and patched already
                return
            sys.meta_path.remove(self)
            try:
                from . import patches

                patches.install(module, self.descriptor, self.every)
            except Exception:  # the program must run whatever happens here
                if "FAULTLINE_WATCH_DEBUG" in os.environ:
                    raise

        loader.exec_module = execute_and_patch
