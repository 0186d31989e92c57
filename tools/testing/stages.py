"""The stages of ./test: what each catches, what its units read, how it is run."""

import os
import subprocess
from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from testing import commands, ctest
from testing.digest import ROOT, forget
from testing.units import Count, Unit

# Rooms whose tests call the room's functions: under the sanitizers. The others start the whole program.
SANITIZED = ["base", "stats", "environment", "source", "catalog", "run", "provision", "proof", "program", "rules",
             "check", "trace", "watch", "inject", "study", "report"]
WHOLE = ["evaluate", "campaign", "cli", "serve"]
PROBES = ["torch", "torch_uses", "keras2", "tfjs", "healthy", "libtorch"]
PAGES = ["views", "api", "hostile"]

# What the checks of the structure and of the quoted figures compare.
MAPS = ["ARCHITECTURE.md", "CMakeLists.txt", "README.md", "CHANGELOG.md", "docs"]
DATA = ["faults", "taxonomy", "environments", "probes", "tests/data"]
PROGRAM = ["build/release/faultline", "build/release/faultline-init", "build/release/tests/faultline-crashing",
           *DATA, "tools"]

# What the tests of a room read beside their own folder and DATA.
# Some look at the sources: how long they are, what walks over values, which pages no list names.
ALSO_READ = {"base": ["src"], "rules": ["src/rules", "docs/rules"], "trace": ["src/trace", "docs/symptoms"],
             "inject": ["src/inject", "docs/operators"], "source": ["src", "web"],
             "program": ["src/program", "src/rules", "src/check", "ARCHITECTURE.md"],
             "study": ["../shared/data"], "report": ["node_modules/.installed-lock"]}
ON_MACHINE = {"run", "provision", "proof", "watch", "stats"}


@dataclass
class Stage(ABC):
    name: str
    catches: str
    units: list = field(default_factory=list)
    count: Count = field(default_factory=Count)
    seconds: float = 0
    unchanged: int = 0
    failures: list = field(default_factory=list)

    @abstractmethod
    def run(self, units):
        """Run `units`: name → Count of each. Failures go to self.failures."""


class Command(Stage):
    """One command, which passes or fails as a whole."""

    def __init__(self, name, catches, command, reads):
        super().__init__(name, catches, [Unit(name, reads)])
        self.command = command

    def run(self, units):
        status, log = commands.run(self.name, self.command)
        if status != 0:
            self.failures.append(f"FAILED {' '.join(self.command)}\n{commands.tail(log)}")
        return {self.name: Count(passed=1) if status == 0 else Count(failed=1)}


class Build(Stage):
    """No unit: ninja knows what has changed. A build that fails ends the whole run.

    A build `beside` the others is started once the first one is done, and waited for when it is its turn.
    """

    def __init__(self, name, catches, preset, targets, beside=False):
        super().__init__(name, catches)
        self.preset, self.targets, self.beside, self.background = preset, targets, beside, None

    def _command(self):
        configured = ROOT / "build" / self.preset / "build.ninja"
        build = ["cmake", "--build", "--preset", self.preset, "--target", *self.targets]
        if configured.exists():
            return build
        joined = f"cmake --preset {self.preset} && {' '.join(build)}"
        return ["bash", "-c", joined]

    def start(self):
        if self.beside and not self.background:
            self.background = commands.Background(self.name, self._command())

    def run(self, units):
        if self.background:
            status, log = self.background.wait(self.name), self.background.log
        else:
            status, log = commands.run(self.name, self._command())
        forget()
        if status != 0:
            self.failures.append(f"FAILED {self.name}\n{commands.tail(log, 60)}")
        return {}


class Environments(Stage):
    """No unit: the program knows what is built. Where it cannot be, the tests go on without."""

    def run(self, units):
        status, log = commands.run(self.name, ["build/release/faultline", "env", "build"])
        if status != 0:
            self.failures.append(f"FAILED {self.name}\n{commands.tail(log)}")
        return {}


class Tests(Stage):
    """Tests that ctest knows; a unit is a prefix of their names."""

    def __init__(self, name, catches, preset, units, options=()):
        super().__init__(name, catches, units)
        self.preset, self.options = preset, options

    def run(self, units):
        counts, failures = ctest.run(self.name, self.preset, [unit.name for unit in units], self.options)
        self.failures += failures
        return counts


class Fuzzers(Stage):
    SECONDS = 15

    def run(self, units):
        with ThreadPoolExecutor(2) as pool:
            return dict(pool.map(self._fuzz, units))

    def _fuzz(self, unit):
        corpus = ROOT / "build" / "corpus" / unit.name
        corpus.mkdir(parents=True, exist_ok=True)
        seeds = ROOT / "fuzz" / "corpus" / unit.name
        status, log = commands.run(
            unit.name,
            [f"build/asan/fuzz/{unit.name}", f"-max_total_time={self.SECONDS}", "-timeout=10", "-rss_limit_mb=2048",
             f"-artifact_prefix={corpus.parent}/", "-verbosity=0", str(corpus),
             *([str(seeds)] if seeds.exists() else [])],
        )
        if status != 0:
            self.failures.append(f"FAILED {unit.name}\n{commands.tail(log)}")
        return unit.name, Count(passed=1) if status == 0 else Count(failed=1)


def closure(room):
    """The rooms that a room is built from, itself included."""
    listed = subprocess.run(["tools/rooms", "--closure", room], cwd=ROOT, capture_output=True, text=True, check=True)
    return listed.stdout.split()


def archives(preset, room):
    return [f"build/{preset}/src/{each}/libfl_{each}.a" for each in closure(room)]


def room_units(preset, rooms):
    return [
        Unit(room, [f"build/{preset}/tests/{room}_test", f"tests/{room}", *DATA, *ALSO_READ.get(room, [])],
             on_machine=room in ON_MACHINE)
        for room in rooms
    ]


def whole_units():
    def unit(name, *reads):
        return Unit(name, list(reads), on_machine=True)

    # What a campaign does is decided in the rooms that `campaign` is built from and in its commands.
    campaign = [*archives("release", "campaign"), "build/release/src/cli/libfl_cli.a", "programs", *DATA]
    return [
        unit("structure", "src", "tools", "tests/tools", *MAPS),
        unit("install", "CMakeLists.txt", "cmake", "src/cli/CMakeLists.txt", "tests/install", *PROGRAM),
        unit("cli", "build/release/tests/cli_test", "tests/cli", *PROGRAM),
        unit("serve", "build/release/tests/serve_test", "tests/serve", *PROGRAM),
        unit("evaluate", "build/release/tests/evaluate_test", "tests/evaluate", *PROGRAM),
        unit("campaign", "build/release/tests/campaign_test", "tests/campaign", *campaign),
        *(unit(f"probes.{each}", "tests/probes", *PROGRAM) for each in PROBES),
        *(unit(f"web.{each}", "tests/web", "build/web", "build/web.built-from", *PROGRAM) for each in PAGES),
        unit("faultload", *archives("release", "proof"), "build/release/src/cli/libfl_cli.a",
             "build/release/faultline-init", *DATA),
    ]


def fuzzers():
    return sorted(path.stem for path in (ROOT / "fuzz").glob("*_fuzz.cpp"))


def test_targets(rooms):
    return [f"{room}_test" for room in rooms]


LINTED = ["src", "tests", "bench", "fuzz", "probes", "tools", "web", ".clang-format", "ruff.toml", "biome.jsonc"]


def lint():
    return Command("lint", "what ruff and biome know of Python, JavaScript and the pages; C++ that is not formatted",
                   ["tools/lint", "--only", "clang-format,ruff,biome"], LINTED)


def clang_tidy():
    """On what changed since the commit that tools/lint last passed for as a whole; it reads precompiled headers."""
    return Command("clang-tidy", "what clang-tidy knows of bugs, in the C++ that changed",
                   ["tools/lint", "--changed", "--only", "clang-tidy"],
                   ["src", "tests", "bench", "tools", ".clang-tidy"])


def front_end():
    return Command(
        "front end",
        "wrong types in the pages, pages that do not build",
        ["bash", "-c", "npm run --silent check:web && . tools/setup.sh && build_web"],
        ["web", "package-lock.json", "build/web/index.html"],
    )


def every_stage():
    return [
        lint(),
        front_end(),
        Build("build", "what does not compile without a warning; a header that needs another", "release",
              ["faultline", "header_check", *test_targets(WHOLE)]),
        clang_tidy(),
        Environments("environments", "environments that cannot be built"),
        Tests("whole program", "commands, server, campaigns, Slurm, tools, probes, pages in a browser, the faultload",
              "release", whole_units()),
        Build("sanitized build", "the same under other flags", "asan", [*test_targets(SANITIZED), "all_fuzzers"],
              beside=True),
        Tests("rooms", "wrong results; errors of memory and undefined behaviour, by the sanitizers", "asan",
              room_units("asan", SANITIZED)),
        Fuzzers("fuzzers", "crashes and hangs on hostile input",
                [Unit(name, [f"build/asan/fuzz/{name}", "fuzz/corpus"]) for name in fuzzers()]),
    ]


def thorough_stages():
    """What takes too long for every change: the other compiler, and clang-tidy on everything."""
    return [
        *every_stage(),
        Build("g++ build", "what only g++ warns of", "gcc", ["faultline", "all_tests"]),
        Command("whole lint", "what clang-tidy knows of bugs, in all C++", ["tools/lint"], [*LINTED, ".clang-tidy"]),
    ]


def quick_stages():
    """What a change can have broken, as far as minutes allow: no sanitizers, no fuzzers, nothing slow."""
    rooms = [*SANITIZED, *WHOLE]
    quick = [unit for unit in whole_units() if unit.name in ("structure", "cli", "serve", "evaluate", "campaign")]
    return [
        lint(),
        front_end(),
        Build("build", "what does not compile without a warning", "release", ["faultline", *test_targets(rooms)]),
        Tests("tests", "wrong results, in the rooms that changed and in those that use them", "release",
              [*quick, *room_units("release", SANITIZED)], ["-LE", "slow"]),
    ]


def environment():
    os.environ["FAULTLINE_HOME"] = str(ROOT / "build" / "test-home")
