// Cold runs and coverage of real programs in the sandbox.

#include "base/text.hpp"
#include "campaign/cold_run.hpp"
#include "campaign/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::campaign {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::IsSupersetOf;
using testing::Not;

static const run::Environment& machine()
{
  static const run::Environment k_machine = run::discover_environment(FL_SOURCE_DIR, {});
  return k_machine;
}

static Spec tiny()
{
  Result<Spec> spec = load_spec(fs::path(FL_TEST_DATA) / "campaign/tiny/campaign.toml");
  EXPECT_TRUE(spec) << spec.error().line();
  return *spec;
}

// The variant that replaces the first `before` of a file by `after`.
static inject::Variant change(const std::string& text,
                              const std::string& file,
                              const std::string& before,
                              const std::string& after,
                              const std::string& library = "")
{
  const size_t at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  inject::Variant variant;
  variant.id = "MU001-00000001";
  variant.library = library;
  variant.file = file;
  variant.edits = {{at, at + before.size(), after}};
  return variant;
}

static Observed run_changed(const std::string& before, const std::string& after)
{
  const Spec spec = tiny();
  Result<Originals> originals = Originals::read(spec, machine());
  const inject::Variant variant =
      change(originals->program().at("train.py"), "train.py", before, after);
  const Result<Observed> seen =
      run_cold(spec, machine(), run::Isolation::sandbox, *originals, &variant, 0, 20);
  EXPECT_TRUE(seen) << seen.error().line();
  return *seen;
}

TEST(ColdRun, TheCleanProgramGivesItsMetrics)
{
  const Spec spec = tiny();
  Result<Originals> originals = Originals::read(spec, machine());
  const Result<Observed> seen =
      run_cold(spec, machine(), run::Isolation::sandbox, *originals, nullptr, 0, 60);
  ASSERT_TRUE(seen) << seen.error().line();
  EXPECT_EQ(seen->run.symptom, Symptom::normal) << seen->log;
  EXPECT_GT(seen->run.metrics.at("fit"), .9);
  EXPECT_GT(seen->run.metrics.at("loss"), 0);
  EXPECT_GT(seen->run.cpu_seconds, 0);
  EXPECT_TRUE(seen->log.starts_with("fitted ")) << seen->log;
}

TEST(ColdRun, AnUncaughtExceptionIsACrashWithItsFrame)
{
  const Observed seen = run_changed("rate * wrong * x", "rate // 0 * x");
  EXPECT_EQ(seen.run.symptom, Symptom::crash);
  ASSERT_TRUE(seen.run.crash);
  EXPECT_EQ(seen.run.crash->exception, "ZeroDivisionError");
  EXPECT_EQ(seen.run.crash->message, "float floor division by zero");
  EXPECT_EQ(seen.run.crash->file, "train.py");
  EXPECT_EQ(seen.run.crash->function, "epoch");
  EXPECT_EQ(seen.run.crash->statement, "slope -= rate // 0 * x");
  EXPECT_NE(seen.log.find("Traceback (most recent call last):\n  File \"/fault/program/train.py\""),
            std::string::npos)
      << seen.log;
  EXPECT_EQ(seen.log.find("campaign_run"), std::string::npos) << seen.log;
}

TEST(ColdRun, EveryOtherEndIsItsOwn)
{
  const Observed status = run_changed("shift = 0.001", "sys.exit(3) or 1");
  EXPECT_EQ(status.run.symptom, Symptom::crash);
  EXPECT_EQ(status.run.crash->exception, "exit 3");
  const Observed message = run_changed("shift = 0.001", "sys.exit('no data') or 1");
  EXPECT_EQ(message.run.crash->exception, "exit 1");
  EXPECT_EQ(message.run.crash->message, "no data");
  const Observed segfault =
      run_changed("shift = 0.001", "__import__('os').kill(__import__('os').getpid(), 11) or 1");
  EXPECT_EQ(segfault.run.symptom, Symptom::crash);
  EXPECT_EQ(segfault.run.crash->exception, "SIGSEGV");
  const Observed silent = run_changed("print(\"fitted\"", "print(\"fated\"");
  EXPECT_EQ(silent.run.symptom, Symptom::normal); // not judged yet
  EXPECT_FALSE(silent.run.metrics.contains("fit"));
  EXPECT_TRUE(silent.run.metrics.contains("loss"));
}

// Blocks that have been used are handed out again as they were left, unless the allocator is told
// not to.
TEST(ColdRun, MemoryThatNobodyWroteIsZero)
{
  const Observed seen = run_changed("    shift = 0.001", R"(    import ctypes
    c = ctypes.CDLL(None)
    c.malloc.restype = ctypes.c_void_p
    for size in (64, 4096, 100000):
        block = c.malloc(size)
        ctypes.memset(block, 7, size)
        c.free(ctypes.c_void_p(block))
        if any(ctypes.string_at(c.malloc(size), size)):
            sys.exit(9)
    shift = 0.001)");
  EXPECT_EQ(seen.run.symptom, Symptom::normal) << seen.log;
}

TEST(ColdRun, ALibraryFileIsReplacedWithoutTouchingTheInstalledOne)
{
  const Result<TempDir> place = TempDir::create();
  ASSERT_TRUE(
      write_tree(place->path(),
                 {{"train.py", "import numpy\nprint('value', numpy.identity(3).sum())\n"},
                  {"campaign.toml",
                   "name = 'n'\nprogram = '.'\ncommand = ['python3', 'train.py']\n"
                   "operators = ['source']\n[[metrics]]\nname = 'v'\n"
                   "pattern = 'value ([-+.\\w]+)'\n[[targets]]\nlibrary = 'numpy.core'\n"}}));
  const Result<Spec> spec = load_spec(place->path() / "campaign.toml");
  ASSERT_TRUE(spec) << spec.error().line();
  Result<Originals> originals = Originals::read(*spec, machine());
  inject::Variant variant;
  variant.library = "numpy.core";
  variant.file = "numpy/core/numeric.py";
  const Result<std::string> original = originals->original_of(variant);
  ASSERT_TRUE(original) << original.error().line();
  const std::string before = "    return eye(n, dtype=dtype, like=like)";
  variant = change(*original, variant.file, before, before + " * 2", "numpy.core");
  const Result<Observed> doubled =
      run_cold(*spec, machine(), run::Isolation::sandbox, *originals, &variant, 0, 60);
  ASSERT_TRUE(doubled) << doubled.error().line();
  EXPECT_EQ(doubled->run.metrics.at("v"), 6) << doubled->log;

  variant = change(*original, variant.file, before, before + ".nothing", "numpy.core");
  const Result<Observed> crashed =
      run_cold(*spec, machine(), run::Isolation::sandbox, *originals, &variant, 0, 60);
  ASSERT_TRUE(crashed->run.crash) << crashed->log;
  EXPECT_EQ(crashed->run.crash->exception, "AttributeError");
  EXPECT_EQ(crashed->run.crash->file, "numpy/core/numeric.py");
  EXPECT_EQ(crashed->run.crash->statement, "return eye(n, dtype=dtype, like=like).nothing");
  EXPECT_NE(crashed->log.find("like=like).nothing"), std::string::npos) << crashed->log;
}

TEST(Coverage, TellsPhasesAndSegmentsApart)
{
  Spec spec = tiny();
  const Result<Coverage> coverage = measure_coverage(spec, machine(), {"train.py", "unused.py"});
  ASSERT_TRUE(coverage) << coverage.error().line();
  EXPECT_EQ(coverage->checkpoints, 20);
  EXPECT_FALSE(coverage->segments.contains("unused.py"));
  const auto& phases = coverage->phases;
  // The program begins in the first phase, and what no phase claims goes on in the last one.
  const std::set<size_t>& before = phases.at("preprocessing").at("train.py");
  const std::set<size_t>& after = phases.at("learning").at("train.py");
  EXPECT_THAT(before, IsSupersetOf({3, 6, 10, 11, 23, 24, 25, 26, 27}));
  EXPECT_THAT(after, IsSupersetOf({15, 16, 17, 18, 19, 28, 29, 30}));
  EXPECT_THAT(after, AllOf(Not(Contains(3)), Not(Contains(10)), Not(Contains(24))));
  EXPECT_THAT(before, AllOf(Not(Contains(17)), Not(Contains(30))));
  EXPECT_TRUE(before.contains(26) && after.contains(26)); // the loop around the epochs
  EXPECT_EQ(phases.size(), 2U);
  const auto& lines = coverage->segments.at("train.py");
  EXPECT_EQ(lines.at(6), (std::set<int>{0}));
  EXPECT_EQ(lines.at(17).size(), 20U); // each epoch is a segment
  EXPECT_EQ(lines.at(30), (std::set<int>{20}));
  // As it is kept.
  const Result<Coverage> again = parse_coverage(print_coverage(*coverage));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->phases, coverage->phases);
  EXPECT_EQ(again->segments, coverage->segments);
}

TEST(Coverage, LinesOfARangeBelongToItsPhase)
{
  Spec spec = tiny();
  spec.phases = {{"reading", {{"train.py", "load", {}}}},
                 {"fitting", {{"train.py", "", std::pair<size_t, size_t>(26, 28)}}}};
  const Result<Coverage> coverage = measure_coverage(spec, machine(), {"train.py"});
  ASSERT_TRUE(coverage) << coverage.error().line();
  const std::set<size_t>& lines = coverage->phases.at("fitting").at("train.py");
  EXPECT_TRUE(lines.contains(27));
  EXPECT_TRUE(lines.contains(17)); // called from there
  EXPECT_FALSE(lines.contains(10));
}

} // namespace faultline::campaign
