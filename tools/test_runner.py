#!/usr/bin/env python3
"""Run the tests; ./test installs what they need and calls this.

  ./test              everything that has changed since it passed
  ./test --all        everything
  ./test --quick      what a change can have broken, in minutes: what developers use
  ./test --thorough   everything, the build with g++ and clang-tidy on all files too: once a week
  ./test -R REGEX     the tests of the release build whose names match (options are ctest's)
"""

import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from testing import stages
from testing.commands import bold, duration, say
from testing.units import Count


def run_stage(stage, group, everything):
    start = time.monotonic()
    keys = {unit.name: unit.key() for unit in stage.units}  # before the run: a file may change during it
    due = [unit for unit in stage.units if everything or not unit.has_passed(group, keys[unit.name])]
    stage.unchanged = len(stage.units) - len(due)
    if due or not stage.units:
        say(bold(f"{stage.name}") + f": {stage.catches}")
        counts = stage.run(due)
        for unit in due:
            stage.count += counts[unit.name]
            if not counts[unit.name].failed:
                unit.remember(group, keys[unit.name])
    stage.seconds = time.monotonic() - start
    for failure in stage.failures:
        print(failure, flush=True)


def show_table(done, seconds):
    print(f"\n{'stage':<18}{'time':>7}{'passed':>9}{'failed':>8}{'skipped':>9}")
    for stage in done:
        count = stage.count
        empty = count == Count()
        numbers = " " * 26 if empty else f"{count.passed:>9}{count.failed:>8}{count.skipped:>9}"
        note = f"{stage.unchanged} of {len(stage.units)} unchanged" if stage.unchanged else ""
        print(f"{stage.name:<18}{duration(stage.seconds):>7}{numbers}  {note}".rstrip())
    print(f"{'together':<18}{duration(seconds):>7}\n")


def main(arguments):
    stages.environment()
    if arguments and arguments[0] not in ("--all", "--quick", "--thorough"):
        if arguments[0] in ("-h", "--help"):
            print(__doc__.strip())
            return 0
        targets = ["faultline", "all_tests"]
        if subprocess.run(["cmake", "--build", "--preset", "release", "--target", *targets]).returncode:
            return 1
        return subprocess.run(["ctest", "--preset", "release", *arguments]).returncode

    quick = "--quick" in arguments
    group = "quick" if quick else "full"
    start = time.monotonic() - float(os.environ.get("FL_INSTALL_SECONDS", "0"))
    thorough = "--thorough" in arguments
    chosen = stages.quick_stages() if quick else stages.thorough_stages() if thorough else stages.every_stage()
    beside = [stage for stage in chosen if getattr(stage, "beside", False)]
    done = []
    try:
        for stage in chosen:
            run_stage(stage, group, "--all" in arguments)
            done.append(stage)
            if isinstance(stage, stages.Build):
                if stage.failures:
                    break
                for build in beside:
                    build.start()
                beside = []
    finally:
        for stage in chosen:
            if getattr(stage, "background", None):
                stage.background.stop()

    total = sum((stage.count for stage in done), Count())
    broken = [stage for stage in done if stage.failures]
    show_table(done, time.monotonic() - start)
    print(f"{total.passed} passed, {max(total.failed, len(broken))} failed, {total.skipped} skipped")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
