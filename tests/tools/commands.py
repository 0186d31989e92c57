"""The commands of tools/, which have no ending .py, as modules."""

import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent.parent / "tools"
sys.path.insert(0, str(TOOLS))
sys.dont_write_bytecode = True

import scaffold  # noqa: E402, F401


def load(command):
    loader = SourceFileLoader(command.replace("-", "_"), str(TOOLS / command))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module
