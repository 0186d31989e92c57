"""Print as JSON where the top-level package or module NAME is installed, importing nothing."""

import importlib.util
import json
import os
import sys

name = sys.argv[1]
sys.path.pop(0)  # this script's own folder

try:
    spec = importlib.util.find_spec(name)
except (ImportError, ValueError):
    spec = None

folder = None
if spec is not None and spec.submodule_search_locations:
    folder = os.path.dirname(os.path.realpath(next(iter(spec.submodule_search_locations))))
elif spec is not None and spec.has_location:
    folder = os.path.dirname(os.path.realpath(spec.origin))
print(json.dumps({"found": spec is not None, "folder": folder}))
