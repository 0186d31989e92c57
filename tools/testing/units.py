"""A unit is the smallest part of a stage: it has a key, which is a digest of all that it reads.

What passed is remembered under build/passed/ by that key; a unit with a key that passed is not run again.
"""

from dataclasses import dataclass, field

from testing.digest import ROOT, digest_of, machine

PASSED = ROOT / "build" / "passed"


@dataclass
class Unit:
    name: str
    reads: list = field(default_factory=list)  # files and folders, relative to the project
    words: list = field(default_factory=list)  # what else changes its answer
    on_machine: bool = False  # it starts programs of the machine: frameworks, browsers

    def key(self):
        return digest_of(self.reads, *self.words, *([machine()] if self.on_machine else []))

    def _stamp(self, group):
        return PASSED / group / self.name

    def has_passed(self, group, key):
        stamp = self._stamp(group)
        return stamp.exists() and stamp.read_text() == key

    def remember(self, group, key):
        stamp = self._stamp(group)
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.write_text(key)


@dataclass
class Count:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other):
        return Count(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)
