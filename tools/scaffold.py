"""What the tools/new-… commands share: they write the files of something new from tools/templates/ and register it.

A thing with a code (a rule, an operator, a symptom) is a Kind; its command is `main(KIND)`. What has no code of its own
uses `refuse`, `check_name` and `write_files`.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from string import Template

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "tools" / "templates"


class Refused(Exception):
    """What was asked for cannot be made; the message says why."""


@dataclass(frozen=True)
class Kind:
    noun: str  # "rule"
    prefixes: tuple  # of codes, "DL"
    folder: str  # of its files, below the project
    registry: str  # the list in that folder that names every one, sorted by code
    macro: str  # of a line of that list
    example: str  # a whole command line, for the usage message


def check_name(name):
    """A name in kebab case; the same as the name of a file in snake case."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise Refused(f"`{name}` is not a name in kebab case, such as missing-zero-grad")
    return name.replace("-", "_")


def write_files(root, made):
    """Write texts by path below `root`; nothing is written if one of the files is there already."""
    for path in made:
        if (root / path).exists():
            raise Refused(f"{path} exists already")
    for path, text in made.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def filled(template, values):
    return Template((TEMPLATES / template).read_text()).substitute(values)


def _registered(kind, lines, code, file):
    """The lines of the registry with the new one in its place."""
    rows = [line for line in lines if line.startswith(f"{kind.macro}(")]
    for row in rows:
        if row.startswith(f"{kind.macro}({code},"):
            raise Refused(f"{code} is taken: {row}")
        if row.endswith(f", {file})"):
            raise Refused(f"there is a {kind.noun} of that name: {row}")
    return rows


def make(kind, code, group, name, root=ROOT):
    """Write the .cpp and the .md of a new one and its line in the registry; the paths written."""
    if not re.fullmatch(f"({'|'.join(kind.prefixes)})[0-9]{{3}}", code):
        raise Refused(f"`{code}` is not a code such as {kind.prefixes[0]}307")
    file = check_name(name)
    folder = root / kind.folder
    registry = folder / kind.registry
    lines = registry.read_text().splitlines()
    groups = sorted({line.split(", ")[1] for line in lines if line.startswith(f"{kind.macro}(")})
    if group not in groups:
        raise Refused(f"there is no group `{group}`: choose one of {', '.join(groups)}")
    rows = _registered(kind, lines, code, file)
    values = {"code": code, "name": name, "file": file, "group": group}
    paths = [f"{kind.folder}/{group}/{file}{ending}" for ending in (".cpp", ".md")]
    write_files(root, {path: filled(f"{kind.noun}{Path(path).suffix}.in", values) for path in paths})
    comments = [line for line in lines if line not in rows]
    rows.append(f"{kind.macro}({code}, {group}, {file})")
    registry.write_text("\n".join(comments + sorted(rows)) + "\n")
    return [*paths, f"{kind.folder}/{kind.registry}"]


def run(command, make_it):
    """Run a command: print the paths that `make_it` gives, or why it refused, with exit status 2."""
    try:
        print("\n".join(make_it()))
    except Refused as refused:
        print(f"{command}: error: {refused}", file=sys.stderr)
        sys.exit(2)


def main(kind):
    def make_it():
        if len(sys.argv) != 4:
            raise Refused(f"usage: tools/new-{kind.noun} CODE GROUP NAME, e.g. {kind.example}")
        return make(kind, *sys.argv[1:])

    run(f"new-{kind.noun}", make_it)
