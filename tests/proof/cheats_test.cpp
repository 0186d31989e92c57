// Programs that are wrong and try to pass all the same. Each file of cheats/ is one, run for real;
// its first line says what it tries, its second one what has to come out.

#include "base/file.hpp"
#include "base/text.hpp"
#include "proof/plan.hpp"
#include "proof/verdict.hpp"
#include "run/runner.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace faultline::proof {

namespace fs = std::filesystem;

static const fs::path k_cheats = fs::path(FL_SOURCE_DIR) / "tests/proof/cheats";

static const run::Environment& machine()
{
  static const run::Environment k_machine = run::discover_environment(FL_SOURCE_DIR, {});
  return k_machine;
}

// A fault whose program is still to come.
static catalog::Fault fault_with(const std::string& framework, const std::string& test)
{
  catalog::Fault fault;
  fault.id = framework + "-cheat";
  fault.framework = framework;
  fault.test_file = "test" + fs::path(test).extension().string();
  fault.test_text = *read_file(k_cheats / test);
  fault.run.test = {framework == "tfjs" ? "node" : "python3", "../" + fault.test_file};
  return fault;
}

struct Cheat {
  std::string name;
  std::string text;
  std::string verdict; // what the judgement says
};

static std::vector<Cheat> cheats(const std::string& language)
{
  std::vector<Cheat> all;
  for (const fs::directory_entry& entry : fs::directory_iterator(k_cheats / language)) {
    const std::string text = *read_file(entry.path());
    const std::string_view second = split_lines(text).at(1);
    const size_t start = second.find("verdict: ");
    EXPECT_NE(start, std::string_view::npos) << entry.path() << " does not say its verdict";
    all.push_back({entry.path().filename(), text, std::string(second.substr(start + 9))});
  }
  std::ranges::sort(all, {}, &Cheat::name);
  EXPECT_GT(all.size(), 10U) << language;
  return all;
}

// Each of these programs comes out as it says, and only an honest one passes.
static void try_all(const std::vector<Cheat>& cheats, catalog::Fault fault, bool warm)
{
  run::Runner runner({run::Isolation::sandbox, warm});
  for (const Cheat& cheat : cheats) {
    SCOPED_TRACE(cheat.name);
    fault.run.timeout_seconds = cheat.verdict == "timed out" ? 4 : 20;
    const std::string file = "main" + fs::path(cheat.name).extension().string();
    Result<run::Job> job =
        test_job(fault, {{file, cheat.text}}, catalog::Version::buggy, 0, machine());
    ASSERT_TRUE(job) << job.error().line();
    if (file == "main.cpp") {
      job->files["program/main"] = *read_file(fs::path(FL_CHEATS) / fs::path(cheat.name).stem());
      job->executables = {"program/main"};
    }
    const run::RunOutcome outcome = runner.run(*job, machine());
    const Judgement judgement = judge(fault, outcome);
    const bool honest = cheat.name.starts_with("honest.");
    EXPECT_EQ(name_of(judgement.verdict), honest ? "pass" : "fail") << outcome.log;
    EXPECT_EQ(judgement.why, cheat.verdict) << outcome.log;
  }
}

TEST(Cheats, OfPythonFail)
{
  try_all(cheats("python"), fault_with("pytorch", "test.py"), true);
}

TEST(Cheats, ThatReachForOtherProcessesFailInAColdSandboxToo)
{
  // What stands around the judge differs there; what happens inside the subject does not.
  std::vector<Cheat> reaching = cheats("python");
  std::erase_if(reaching, [](const Cheat& cheat) {
    return cheat.name.find("judge") == std::string::npos && !cheat.name.starts_with("honest.");
  });
  EXPECT_GE(reaching.size(), 5U);
  try_all(reaching, fault_with("pytorch", "test.py"), false);
}

TEST(Cheats, OfNodeFail)
{
  try_all(cheats("node"), fault_with("tfjs", "test.js"), true);
}

TEST(Cheats, OfCppFail)
{
  try_all(cheats("cpp"), fault_with("libtorch", "test_binary.py"), true);
}

} // namespace faultline::proof
