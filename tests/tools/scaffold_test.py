"""tools/new-…: what they write, where they register it, and what they refuse."""

import tempfile
import unittest
from pathlib import Path

from commands import load, scaffold

KINDS = [
    (load("new-rule").RULE, "DL999", "torch"),
    (load("new-operator").OPERATOR, "MU999", "training"),
    (load("new-symptom").SYMPTOM, "TR999", "training"),
]


class Scaffold(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for kind, _, _ in KINDS:
            (self.root / kind.folder).mkdir(parents=True)
            registry = f"{kind.folder}/{kind.registry}"
            (self.root / registry).write_text((scaffold.ROOT / registry).read_text())

    def make(self, kind, *words):
        return scaffold.make(kind, *words, root=self.root)

    def test_writes_the_files_and_one_line_of_the_list(self):
        for kind, code, group in KINDS:
            registry = self.root / kind.folder / kind.registry
            before = registry.read_text().splitlines()
            paths = self.make(kind, code, group, "name-of-this")
            made = f"{kind.folder}/{group}/name_of_this"
            self.assertEqual(paths, [f"{made}.cpp", f"{made}.md", f"{kind.folder}/{kind.registry}"])
            source = (self.root / f"{made}.cpp").read_text()
            self.assertIn("name_of_this{", source)
            self.assertIn('.name = "name-of-this"', source)
            self.assertNotIn("$", source + (self.root / f"{made}.md").read_text())
            after = registry.read_text().splitlines()
            self.assertEqual([line for line in after if line not in before],
                             [f"{kind.macro}({code}, {group}, name_of_this)"])
            self.assertEqual([line for line in before if line not in after], [])
            rows = [line for line in after if line.startswith(kind.macro + "(")]
            self.assertEqual(rows, sorted(rows))

    def test_refuses_what_is_taken_or_misspelled_and_writes_nothing(self):
        for kind, code, group in KINDS:
            rows = (self.root / kind.folder / kind.registry).read_text()
            taken = next(line for line in rows.splitlines() if line.startswith(kind.macro + "("))
            taken_code, taken_group, taken_file = taken[len(kind.macro) + 1 : -1].split(", ")
            for words, message in [
                ((taken_code, group, "a-name"), f"{taken_code} is taken: {taken}"),
                ((code, taken_group, taken_file.replace("_", "-")), f"there is a {kind.noun} of that name: {taken}"),
                ((code, "nowhere", "a-name"), "there is no group `nowhere`"),
                (("XX999", group, "a-name"), f"`XX999` is not a code such as {kind.prefixes[0]}307"),
                ((code, group, "A_Name"), "`A_Name` is not a name in kebab case"),
            ]:
                with self.assertRaises(scaffold.Refused) as raised:
                    self.make(kind, *words)
                self.assertIn(message, str(raised.exception))
            self.assertEqual((self.root / kind.folder / kind.registry).read_text(), rows)
            self.assertEqual([path.name for path in (self.root / kind.folder).rglob("*.cpp")], [])


if __name__ == "__main__":
    unittest.main()
