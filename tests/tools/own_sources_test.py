"""Which edits make stored runs of our own detectors stale: tools/own-sources on a copy of the sources."""

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class OwnSources(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.copy = Path(cls.folder.name)
        shutil.copytree(ROOT / "src", cls.copy / "src")
        shutil.copytree(ROOT / "probes/faultline_watch/libtorch", cls.copy / "probes/faultline_watch/libtorch")
        (cls.copy / "tools").mkdir()
        for name in ("tools/own-sources", "tools/rooms", "CMakeLists.txt"):
            shutil.copy(ROOT / name, cls.copy / name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def digests(self, *words):
        made = self.copy / "made.cpp"
        subprocess.run([self.copy / "tools/own-sources", "--write", made, *words], check=True)
        return dict(re.findall(r'faultline sources of (\w+) ([0-9a-f]{64})"', made.read_text()))

    def stale_after(self, name):
        """The commands whose digest changes with an edit to that file, which is then taken back."""
        path, before = self.copy / name, self.digests()
        text = path.read_text()
        path.write_text(text + "\n")
        after = self.digests()
        path.write_text(text)
        return {command for command in before if before[command] != after[command]}

    def test_an_untouched_tree_has_the_same_digests(self):
        self.assertEqual(self.digests("clang 14"), self.digests("clang 14"))
        self.assertEqual(set(self.digests()), {"check", "watch"})

    def test_what_a_command_is_built_from_counts(self):
        self.assertEqual(self.stale_after("src/rules/rules.inc"), {"check"})
        self.assertEqual(self.stale_after("src/trace/symptoms.inc"), {"watch"})
        self.assertEqual(self.stale_after("src/base/json.cpp"), {"check", "watch"})
        self.assertEqual(self.stale_after("src/source/CMakeLists.txt"), {"check", "watch"})
        self.assertEqual(self.stale_after("src/cli/commands/check.cpp"), {"check"})
        self.assertEqual(self.stale_after("src/report/finding_json.cpp") - {"watch"}, {"check"})

    def test_what_cannot_change_an_answer_does_not_count(self):
        page = next((self.copy / "src/rules").rglob("*.md")).relative_to(self.copy)
        for name in (
            str(page),
            "src/cli/commands/list.cpp",
            "src/cli/commands/evaluate.cpp",
            "src/cli/command.cpp",
            "src/serve/server.cpp",
            "src/evaluate/score.cpp",
            "src/campaign/engine.cpp",
        ):
            self.assertEqual(self.stale_after(name), set(), name)

    def test_compiler_and_flags_count(self):
        before, after = self.digests("clang 14", "-O2"), self.digests("clang 14", "-O1")
        self.assertNotEqual(before["check"], after["check"])
        self.assertNotEqual(before["watch"], after["watch"])


if __name__ == "__main__":
    unittest.main()
