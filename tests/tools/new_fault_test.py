"""tools/new-fault: what it writes for each framework. What it refuses is tests/cli/new-fault-refused."""

import tempfile
import tomllib
import unittest
from pathlib import Path

from commands import TOOLS, load

new_fault = load("new-fault")


class NewFault(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "faults").mkdir()
        (self.root / "taxonomy").symlink_to(TOOLS.parent / "taxonomy")

    def test_writes_a_program_its_test_and_a_description(self):
        for framework in new_fault.FRAMEWORKS:
            paths = new_fault.make(f"{framework}-flat-loss", framework, self.root)
            description = tomllib.loads((self.root / paths[0]).read_text())
            self.assertEqual(description["id"], f"{framework}-flat-loss")
            program = description["location"]["file"]
            self.assertEqual(paths[1], f"faults/{framework}/flat-loss/program/{program}")
            test = description["run"]["test"][-1].removeprefix("../")
            self.assertEqual(paths[2], f"faults/{framework}/flat-loss/{test}")
            for path in paths[1:]:
                compile_if_python(self.root / path)

    def test_names_the_environments_of_most_other_faults(self):
        for number, names in enumerate(['"old"', '"one", "two"', '"one", "two"']):
            folder = self.root / f"faults/pytorch/old-{number}"
            folder.mkdir(parents=True)
            (folder / "fault.toml").write_text(f"[environment]\nin = [{names}]\n")
        paths = new_fault.make("pytorch-flat-loss", "pytorch", self.root)
        description = tomllib.loads((self.root / paths[0]).read_text())
        self.assertEqual(description["environment"]["in"], ["one", "two"])


def compile_if_python(path):
    if path.suffix == ".py":
        compile(path.read_text(), path.name, "exec")


if __name__ == "__main__":
    unittest.main()
