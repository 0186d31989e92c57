"""The installed program: it finds its own parts from where it lies, and works on any project."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = os.environ.get("FAULTLINE_BUILD", str(ROOT / "build/release"))
CMAKE = os.environ.get("FAULTLINE_CMAKE", "cmake")
FAULT = "pytorch-mean-off-by-one"


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.prefix = Path(cls.folder.name) / "prefix"
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", cls.prefix], check=True, capture_output=True)
        # A faultload and labels, and nothing else: no probes, no tools, no node_modules.
        cls.project = Path(cls.folder.name) / "project"
        shutil.copytree(ROOT / "tests/data/small", cls.project)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def faultline(self, *arguments, cwd=None, status=0):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("FAULTLINE_")}
        environment["HOME"] = str(Path(self.folder.name) / "home")
        environment.pop("XDG_STATE_HOME", None)
        done = subprocess.run(
            [self.prefix / "bin/faultline", *arguments],
            cwd=cwd or self.folder.name,
            env=environment,
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    def test_everything_has_its_place(self):
        for name in ("bin/faultline", "libexec/faultline/faultline-init"):
            self.assertTrue(os.access(self.prefix / name, os.X_OK), name)
        share = self.prefix / "share/faultline"
        self.assertTrue({"probes", "taxonomy", "faults", "tools", "programs"} <= set(os.listdir(share)))
        self.assertTrue((share / "tools/check.toml").exists())
        self.assertFalse((share / "tools/lint").exists(), "what only developers use")
        self.assertFalse(list(share.rglob("__pycache__")))

    def test_the_program_does_not_know_the_source_tree(self):
        for name in ("bin/faultline", "libexec/faultline/faultline-init"):
            # Messages of assertions name source files, which are only read by people.
            known = re.findall(re.escape(str(ROOT).encode()) + rb"[^\0]*", (self.prefix / name).read_bytes())
            self.assertEqual([path for path in known if not re.search(rb"/src/.*\.[ch]pp$", path)], [])

    def test_the_faultload_came_along(self):
        listed = json.loads(self.faultline("list", "--json"))
        self.assertEqual(len(listed), len(list(ROOT.glob("faults/*/*/fault.toml"))))

    def test_results_are_not_kept_beside_the_installed_faultload(self):
        self.faultline("verify", "pytorch-loss-data-index", "--json")
        self.assertFalse((self.prefix / "share/faultline/.faultline").exists())
        self.assertTrue((Path(self.folder.name) / "home/.local/state/faultline/store.sqlite").exists())

    def test_a_project_is_a_folder_with_faults_and_taxonomy(self):
        for where in ({"cwd": self.project}, {"cwd": self.project / "faults"}):
            self.assertIn(FAULT, self.faultline("list", **where))
            proved = json.loads(self.faultline("verify", FAULT, "--json", "--fresh", **where))
            self.assertEqual(proved["summary"]["proved"], 1)
        proved = json.loads(self.faultline("--root", str(self.project), "verify", FAULT, "--json", "--fresh"))
        self.assertEqual(proved["summary"]["proved"], 1)
        self.assertTrue((self.project / ".faultline/store.sqlite").exists())

    def test_detectors_that_came_along_run_on_it(self):
        arguments = ("evaluate", FAULT, "--tool", "check", "--json")
        report = json.loads(self.faultline("--root", str(self.project), *arguments))
        self.assertEqual(report["tools"][0]["faults"][0]["id"], FAULT)
        self.assertNotIn(report["tools"][0]["faults"][0]["verdict"], ("not run", "not installed", "crashed"))

    def test_a_program_is_watched_and_checked_anywhere(self):
        program = Path(self.folder.name) / "train.py"
        program.write_text("import torch\nprint(torch.zeros(2))\n")
        self.assertEqual(json.loads(self.faultline("watch", "--format", "json", "--", "/usr/bin/python3", str(program))), [])
        self.assertEqual(json.loads(self.faultline("check", str(program), "--format", "json")), [])


if __name__ == "__main__":
    unittest.main()
