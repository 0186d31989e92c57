"""Changed modules in place of the installed ones: a folder with this file as sitecustomize.py and a
module such as torch/nn/functional.py in it does so when PYTHONPATH names the folder."""

import importlib.machinery
import importlib.util
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


class Overlay:
    @staticmethod
    def find_spec(name, path=None, target=None):
        stem = os.path.join(HERE, *name.split("."))
        for changed in (stem + ".py", os.path.join(stem, "__init__.py")):
            if os.path.isfile(changed) and name != "sitecustomize":
                installed = importlib.machinery.PathFinder.find_spec(
                    name, path or [entry for entry in sys.path if entry != HERE])
                return importlib.util.spec_from_file_location(
                    name, changed, submodule_search_locations=installed.submodule_search_locations
                    if installed else None)
        return None


sys.meta_path.insert(0, Overlay)
