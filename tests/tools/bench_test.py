# ruff: noqa: E501, RUF001 (what benchmarks print)
"""tools/bench knows every benchmark, and reads what they print."""

import importlib.util
import re
import subprocess
import sys
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
loader = SourceFileLoader("bench", str(ROOT / "tools/bench"))
bench = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench", loader))
sys.modules["bench"] = bench
loader.exec_module(bench)

# What the benchmarks print, with made-up numbers.
SAID = {
    "campaign-sentence": """60 variants, 2 workers
each started cold      23.8 a minute
plain forking          32.2 a minute  1.35 x cold
the whole engine       91.4 a minute  3.84 x cold, 2.84 x plain forking
same symptom and metrics on all sides: 60 of 60
8 variants with 25 epochs: training takes 9.12 s from nothing, in the engine +3.0 % (medians)
""",
    "check": """20 files, 0.1 MB; median per file: parse 0.20 ms, understand 1.10 ms, check 1.50 ms (ratio to parsing 7.5)
slowest: 12.5 ms programs/a.py
all of them on 2 threads: 0.25 s, peak memory 66 MB
""",
    "similarity": "load 47 faults: 31.0 ms; all 1081 pairs: 62.0 ms (ratio 2.00; medians of 11)\n",
    "warm-start": """environment    cold ms   warm ms     ratio   (medians of 21)
keras2          4000.0      20.0     200.0
keras3          5000.0      20.0     250.0
torch1          1300.0      12.0     108.3
torch2          1400.0      14.0     100.0
""",
    "serve": """300 faults made in 1 s
  first start: every folder is read                     1.5 s
  peak memory while reading                            99.0 MB     below 300
  next start                                            0.2 s
  list page, median                                     2.5 ms
  list page at 200 a second, p99                        9.5 ms     below 25
  /api/v1/faults/{id}                                5000.0 /s     at least 3000
  peak memory                                         120.0 MB     below 300
""",
    "watch": """mlp.py   without 1.00 s, default 1.020x (20 KiB), every step 1.500x (200 KiB), output the same
cnn.py   without 1.00 s, default 1.030x (20 KiB), every step 1.400x (200 KiB), output the same
lstm.py  without 1.00 s, default 1.040x (20 KiB), every step 1.300x (200 KiB), output the same
""",
}
SAID["campaign-mnist"] = SAID["campaign-gru"] = SAID["campaign-sentence"]


class Bench(unittest.TestCase):
    maxDiff = None

    def test_lists_every_benchmark_under_bench(self):
        # What a benchmark runs, and what takes no part of its own: the programs that watch is measured on.
        measured = {f"watch/{program}.py" for program in ("mlp", "cnn", "lstm", "keras_cnn", "keras_lstm", "tape")}
        there = {str(path.relative_to(ROOT / "bench")) for path in (ROOT / "bench").rglob("*")
                 if path.suffix in (".cpp", ".py", ".mjs", ".js", ".sh")}  # fmt: skip
        self.assertEqual({benchmark.source for benchmark in bench.BENCHMARKS}, there - measured)
        listed = subprocess.run([ROOT / "tools/bench", "--list"], check=True, stdout=subprocess.PIPE, text=True).stdout
        self.assertEqual(listed.split(), [benchmark.name for benchmark in bench.BENCHMARKS])

    def test_measures_campaigns_of_every_shipped_subject(self):
        subjects = {path.parent.name for path in ROOT.glob("programs/*/campaign.toml")}
        for words in ("words", "quick"):
            measured = {getattr(one, words)[2] for one in bench.BENCHMARKS if one.source == "campaign.cpp"}
            self.assertEqual(measured, subjects)

    def test_reads_every_number_that_a_benchmark_prints(self):
        for benchmark in bench.BENCHMARKS:
            for what, result in bench.rows_of(benchmark, SAID[benchmark.name]):
                self.assertRegex(result, r"\d", f"{benchmark.name}: {what}")
        rows = dict(bench.rows_of(bench.BENCHMARKS[0], SAID["campaign-sentence"]))
        self.assertEqual(rows["the whole engine"], "91.4 a minute, 3.84 × cold, 2.84 × forking alone")
        self.assertEqual(rows["training of a variant in the engine"], "+3.0% longer")

    def test_what_it_expects_is_what_the_sources_print(self):
        for phrase, source in [
            ("each started cold", "campaign.cpp"), ("the whole engine", "campaign.cpp"),
            ("on all sides:", "campaign.cpp"), ("ratio to parsing", "check.cpp"), ("peak memory", "check.cpp"),
            ("first start: every folder is read", "serve.py"), ("next start", "serve.py"), ("p99", "serve.py"),
            ("pairs:", "similarity.cpp"), ("warm ms", "warm_start.cpp"),
            ("every step", "watch/overhead.py"),
        ]:  # fmt: skip
            self.assertIn(phrase, (ROOT / "bench" / source).read_text())

    def test_a_page_has_the_facts_the_rows_and_what_a_later_run_needs(self):
        results = {
            benchmark.name: {"rows": bench.rows_of(benchmark, SAID[benchmark.name]), "seconds": 61.4, "status": 0}
            for benchmark in bench.BENCHMARKS
        }
        results["check"]["status"] = 1
        page = bench.page_of(results, bench.facts(), False)
        for fact in ("date", "processor", "memory", "kernel", "Python", "PyTorch", "NumPy", "load before the start"):
            self.assertTrue(re.search(rf"^\| {fact} \| \S", page, re.M), fact)
        self.assertIn("| warm-start | torch1: a cold job and a warm one, to the first line | 1300.0 ms and 12.0 ms, 108.3 × faster |", page)
        self.assertIn("| check | **ended with status 1** | |", page)
        self.assertIn("| serve | `bench/serve.py` | 61 |", page)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "page.md"
            file.write_text(page)
            self.assertEqual(bench.page_of(bench.read_results(file), bench.facts(), False).splitlines()[-1],
                             page.splitlines()[-1])  # fmt: skip
            self.assertEqual(bench.read_results(Path(folder) / "nothing.md"), {})

    def test_refuses_what_it_does_not_know_and_a_quick_table_in_the_docs(self):
        for words, message in [
            (["--only", "chekc"], "no benchmark is called `chekc`"),
            (["--quick"], "say with --output where its table goes"),
        ]:
            ended = subprocess.run([ROOT / "tools/bench", *words], stderr=subprocess.PIPE, text=True)
            self.assertEqual(ended.returncode, 2)
            self.assertIn(message, ended.stderr)


if __name__ == "__main__":
    unittest.main()
