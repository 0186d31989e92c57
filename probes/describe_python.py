"""Print as JSON what this interpreter is and which of the packages PACKAGE... it has.

describe_python.py [--all] PACKAGE...    with --all also every other package, which may take seconds
"""

import importlib.metadata
import importlib.util
import json
import os
import sys

packages = {}
wanted = sys.argv[1:]
if wanted[:1] == ["--all"]:
    wanted = [distribution.metadata["Name"] for distribution in importlib.metadata.distributions()]
for name in wanted:
    try:
        packages[name] = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        pass

# Every installed distribution with its version, as its folder is called: "torch-1.13.1.dist-info". Reading what
# is in those folders would take seconds on a large installation.
installed = sorted(
    name
    for folder in {os.path.realpath(path) for path in sys.path if path}
    if os.path.isdir(folder)
    for name in os.listdir(folder)
    if name.endswith((".dist-info", ".egg-info"))
)

print(json.dumps({
    "version": sys.version.split()[0],
    "executable": sys.executable,
    "prefixes": sorted({sys.prefix, sys.base_prefix, sys.exec_prefix}),
    "packages": packages,
    "installed": "\n".join(installed),
}))
