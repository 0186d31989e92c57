"""The probe that `faultline watch` attaches to a Python program. docs/trace-format.md is what it writes.

The program is neither changed nor aware: nothing happens until it imports torch, tensorflow or keras, then a few
functions of that library are wrapped (patches.py, tensorflow/patches.py). A recorder is told what they see.
"""

import importlib
import os
import sys

# What to wrap when one of these has been imported.
PATCHES = {"torch": ".patches", "tensorflow": ".tensorflow.patches", "keras": ".tensorflow.keras_patches",
           "tf_keras": ".tensorflow.keras_patches"}


def attach(descriptor, every):
    """Record to `descriptor` as soon as the program has imported a library that we know."""
    os.set_inheritable(descriptor, False)
    sys.meta_path.insert(0, _WhenLibrariesCome(descriptor, every))


class _WhenLibrariesCome:
    """Finds libraries as Python would, and puts the patches in when their import is done."""

    def __init__(self, descriptor, every):
        self.descriptor = descriptor
        self.every = every
        self.process = os.getpid()
        self.waiting = set(PATCHES)
        self.asking = False

    def find_spec(self, name, path=None, target=None):
        """Asked by an import, or by a program that only wants to know whether there is a torch."""
        if name not in self.waiting or self.asking or os.getpid() != self.process:
            return None
        self.asking = True  # others may ask all finders as well
        try:
            spec = self._ask_others(name, path, target)
        finally:
            self.asking = False
        if spec is not None and hasattr(spec.loader, "exec_module"):
            self._patch_after(spec.loader, name)
        return spec

    def _ask_others(self, name, path, target):
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path, target) if finder is not self and hasattr(finder, "find_spec") else None
            if spec is not None:
                return spec
        return None

    def _patch_after(self, loader, name):
        execute = loader.exec_module

        def execute_and_patch(module):
            execute(module)
            vars(loader).pop("exec_module", None)
            if name not in self.waiting:  # it was imported and patched already
                return
            self.waiting.discard(name)
            if not self.waiting and self in sys.meta_path:
                sys.meta_path.remove(self)
            try:
                patches = importlib.import_module(PATCHES[name], __name__)
                patches.install(module, self.descriptor, self.every)
            except Exception:  # the program must run whatever happens here
                if "FAULTLINE_WATCH_DEBUG" in os.environ:
                    raise

        loader.exec_module = execute_and_patch
