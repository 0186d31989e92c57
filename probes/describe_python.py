"""Print as JSON what this interpreter is and which of the packages PACKAGE... it has."""

import importlib.metadata
import importlib.util
import json
import sys

packages = {}
for name in sys.argv[1:]:
    try:
        packages[name] = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        pass

print(json.dumps({
    "version": sys.version.split()[0],
    "executable": sys.executable,
    "prefixes": sorted({sys.prefix, sys.base_prefix, sys.exec_prefix}),
    "packages": packages,
}))
