"""Tests that ctest knows, run for some units; what each gave, read from its JUnit file."""

import re
import xml.etree.ElementTree as xml

from testing import commands
from testing.digest import ROOT
from testing.units import Count


def _count_of(case):
    if case.find("failure") is not None or case.get("status") == "fail":
        return Count(failed=1)
    if case.find("skipped") is not None or case.get("status") in ("disabled", "notrun"):
        return Count(skipped=1)
    return Count(passed=1)


def _tests_inside(preset, name):
    """A room whose tests share one process says itself how many they were."""
    try:
        root = xml.parse(ROOT / "build" / preset / "tests" / f"{name}.results.xml").getroot()
    except (FileNotFoundError, xml.ParseError):
        return None
    skipped = sum(1 for case in root.iter("testcase") if case.get("result") == "skipped")
    failed = int(root.get("failures", 0)) + int(root.get("errors", 0))
    return Count(int(root.get("tests", 0)) - failed - skipped, failed, skipped)


# Slots of ctest: a test that computes takes two (tests/CMakeLists.txt), so two of them and one that waits fit in.
SLOTS = 5


def run(stage, preset, names, options=()):
    """Run the tests `name` and `name.*` for each of `names`: name → Count, and what failed, to show."""
    pattern = "^(" + "|".join(re.escape(name) for name in names) + r")([.]|$)"
    junit = commands.LOGS / f"{stage.replace(' ', '-')}.xml"
    junit.unlink(missing_ok=True)
    for name in names:
        (ROOT / "build" / preset / "tests" / f"{name}.results.xml").unlink(missing_ok=True)
    status, log = commands.run(
        stage,
        ["ctest", "--preset", preset, "--parallel", str(SLOTS), "-R", pattern, "--output-junit", str(junit), *options],
    )
    counts = {name: Count() for name in names}
    failures = []
    if junit.exists():
        for case in xml.parse(junit).getroot().iter("testcase"):
            owner = max((name for name in names if (case.get("name") + ".").startswith(name + ".")), key=len)
            count = _count_of(case)
            if case.get("name") == owner:
                count = _tests_inside(preset, owner) or count
            if count.failed:
                output = (case.findtext("system-out") or "").splitlines()
                failures.append("\n".join([f"FAILED {case.get('name')}", *output[-60:]]))
            counts[owner] += count
    if status != 0 and not failures:
        failures.append(commands.tail(log))
        counts[names[0]] += Count(failed=1)
    for name in names:
        if counts[name] == Count():
            failures.append(f"FAILED {name}: no such test in build/{preset}")
            counts[name] = Count(failed=1)
    return counts, failures
