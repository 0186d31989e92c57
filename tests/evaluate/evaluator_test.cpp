// Real tools in the real sandbox: good ones, and those that mean harm.

#include "evaluate/evaluator.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace faultline::evaluate {

namespace fs = std::filesystem;

class EvaluatorTest : public testing::Test {
protected:
  static const run::Environments& machine()
  {
    static const run::Environments k_machine =
        *run::discover_environments(FL_SOURCE_DIR, FL_SOURCE_DIR, {});
    return k_machine;
  }

  static Subject subject()
  {
    Subject made;
    made.id = "f";
    made.language = "python";
    made.buggy = {{"train.py", "import os\nprint('bad')\n"}};
    made.fixed = {{"train.py", "import os\nprint('good')\n"}};
    made.entry = "train.py";
    made.command = {"python3", "train.py"};
    made.timeout_seconds = 2;
    made.memory_mib = 64;
    made.types = {"api/wrong-api-usage"};
    made.places = {{"train.py", {2}}};
    return made;
  }

  // A tool that is a line of sh.
  static Tool shell(const std::string& name, const std::string& script)
  {
    Tool tool;
    tool.name = name;
    tool.command = {"sh", "-c", script, "sh", "{entry}"};
    tool.limits.timeout_seconds = 5;
    tool.limits.memory_mib = 128;
    tool.limits.output_mib = 1;
    tool.output.keys = {"", "rule", "file", "line", "message", "type", "severity"};
    return tool;
  }
  static Tool good()
  {
    return shell("good",
                 "if grep -q bad \"$1\"; then echo "
                 "'[{\"rule\":\"R\",\"file\":\"train.py\",\"line\":2,\"severity\":\"error\"}]'; "
                 "else echo '[]'; fi");
  }

  Evaluation evaluate(std::vector<Tool> tools, bool fresh = false)
  {
    Toolbox box;
    box.tools = std::move(tools);
    for (size_t i = 0; i < box.tools.size(); ++i) {
      box.asked.push_back(i);
    }
    m_boxes.push_back(std::make_unique<Toolbox>(std::move(box)));
    Result<RunStore> store = RunStore::open(m_folder->path() / "store.sqlite");
    EXPECT_TRUE(store);
    run::Compiler compiler(machine().machine(), m_folder->path(), run::Isolation::sandbox);
    EvaluatorConfig config;
    config.workers = 2;
    config.fresh = fresh;
    config.own = m_own;
    Evaluator evaluator(machine(), *store, compiler, config);
    return evaluator.evaluate(
        *m_boxes.back(), {subject()}, [](size_t) {}, [](const FinishedToolRun&) {});
  }
  Judgement judged(const Tool& tool)
  {
    return evaluate({tool}).tools.front().cells.front().judgement;
  }

  Result<TempDir> m_folder = TempDir::create();
  std::vector<std::unique_ptr<Toolbox>> m_boxes;
  OwnTools m_own = {FL_BINARY, FL_SOURCE_DIR};
};

TEST_F(EvaluatorTest, AToolThatFindsTheLineIsRight)
{
  const Judgement judgement = judged(good());
  EXPECT_EQ(judgement.verdict, Verdict::right_place) << judgement.reason;
  EXPECT_TRUE(judgement.alarms.empty());
  EXPECT_GT(judgement.seconds, 0);
}

TEST_F(EvaluatorTest, WhatIsKnownIsNotRunAgain)
{
  EXPECT_EQ(evaluate({good()}).fresh_runs, 2U);
  const Evaluation again = evaluate({good()});
  EXPECT_EQ(again.runs, 2U);
  EXPECT_EQ(again.fresh_runs, 0U);
  EXPECT_EQ(again.tools[0].cells[0].judgement.verdict, Verdict::right_place);
  EXPECT_EQ(again.tools[0].cells[0].judgement.findings[0].finding.line, 2U);
  EXPECT_EQ(evaluate({good()}, true).fresh_runs, 2U);
  // What is made of findings needs no new run; another command does.
  Tool retyped = good();
  retyped.types["R"] = "api/wrong-api-usage";
  const Evaluation typed = evaluate({retyped});
  EXPECT_EQ(typed.fresh_runs, 0U);
  EXPECT_EQ(typed.tools[0].cells[0].judgement.verdict, Verdict::both);
  Tool other = good();
  other.command.push_back("more");
  EXPECT_EQ(evaluate({other}).fresh_runs, 2U);
}

TEST_F(EvaluatorTest, AnEditedDetectorIsRunAgain)
{
  const fs::path folder = m_folder->path() / "detector";
  const auto write = [&folder](const std::string& found) {
    ASSERT_TRUE(write_tree(folder, {{"detect.sh", "echo '" + found + "'\n"}}));
  };
  write("[]");
  Tool tool = shell("scripted", "");
  tool.command = {"sh", (folder / "detect.sh").string(), "{entry}"};
  tool.folders = {folder.string()};
  EXPECT_EQ(evaluate({tool}).fresh_runs, 2U);
  EXPECT_EQ(evaluate({tool}).fresh_runs, 0U);
  const std::string before = evaluate({tool}).tools[0].hash;
  write(R"([{"rule":"R"}])");
  const Evaluation edited = evaluate({tool});
  EXPECT_EQ(edited.fresh_runs, 2U);
  EXPECT_EQ(edited.tools[0].cells[0].judgement.findings.size(), 1U);
  EXPECT_NE(edited.tools[0].hash, before);
  // A description without the folder cannot see the script, and says so instead of what was found.
  Tool blind = tool;
  blind.folders.clear();
  const Evaluation without = evaluate({blind});
  EXPECT_EQ(without.fresh_runs, 2U);
  EXPECT_EQ(without.tools[0].cells[0].judgement.verdict, Verdict::crashed);
}

TEST_F(EvaluatorTest, WhatNoPatternMatchedIsKeptAndCounted)
{
  Tool tool = shell("odd", "echo nothing that anybody reads; echo R at 2; echo; echo more");
  tool.output.format = OutputFormat::text;
  tool.output.patterns = {"^(?<rule>R) at (?<line>\\d+)$"};
  for (const size_t fresh : {2, 0}) { // as it ran, and as it was stored
    const Evaluation evaluation = evaluate({tool});
    EXPECT_EQ(evaluation.fresh_runs, fresh);
    const ToolRun& run = evaluation.tools[0].cells[0].attempts[0].buggy;
    EXPECT_EQ(run.matched, 1U);
    EXPECT_EQ(run.unmatched, 2U);
    EXPECT_EQ(run.output, "nothing that anybody reads\nR at 2\n\nmore\n");
  }
}

TEST_F(EvaluatorTest, ARebuiltProgramIsServedItsRuns)
{
  const Result<std::string> binary = read_file(FL_BINARY);
  ASSERT_TRUE(binary);
  const fs::path copy = m_folder->path() / "bin/faultline";
  const auto install = [&copy](const std::string& bytes) {
    fs::remove(copy); // it may be mounted, and is never written to while it runs
    ASSERT_TRUE(write_tree(copy.parent_path(), {{"faultline", bytes}}));
    fs::permissions(copy, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  };
  m_own.binary = copy;
  Tool tool = good();
  tool.command = {"{faultline}", "check", "{program}", "--no-config", "--format", "json"};
  tool.exit_statuses = {0, 1};
  tool.limits.memory_mib = 512;
  install(*binary);
  EXPECT_EQ(evaluate({tool}).fresh_runs, 2U);
  install(*binary + "other bytes, as a change to a page would give");
  EXPECT_EQ(evaluate({tool}).fresh_runs, 0U);
  std::string changed = *binary;
  const size_t mark = changed.find("faultline sources of check ");
  ASSERT_NE(mark, std::string::npos);
  const size_t digit = changed.find_first_of("0123456789abcdef", mark + 27);
  changed[digit] = changed[digit] == '0' ? '1' : '0';
  install(changed);
  const Evaluation after = evaluate({tool});
  EXPECT_EQ(after.fresh_runs, 2U);
  EXPECT_EQ(after.tools[0].cells[0].judgement.verdict, Verdict::said_nothing)
      << after.tools[0].cells[0].judgement.reason;
}

TEST_F(EvaluatorTest, EveryIngredientOfARunCounts)
{
  const Tool tool = good();
  EXPECT_EQ(evaluate({tool}).fresh_runs, 2U);
  const auto runs_again = [this](Tool changed) { return evaluate({changed}).fresh_runs == 2; };
  const auto with = [&tool](const std::function<void(Tool&)>& change) {
    Tool changed = tool;
    change(changed);
    return changed;
  };
  EXPECT_FALSE(runs_again(tool));
  EXPECT_TRUE(runs_again(with([](Tool& t) { t.limits.timeout_seconds = 6; })));
  EXPECT_TRUE(runs_again(with([](Tool& t) { t.limits.memory_mib = 129; })));
  EXPECT_TRUE(runs_again(with([](Tool& t) { t.limits.output_mib = 2; })));
  EXPECT_TRUE(runs_again(with([](Tool& t) { t.limits.processes = 65; })));
  EXPECT_TRUE(runs_again(with([](Tool& t) { t.output.with_errors = true; })));
  EXPECT_TRUE(runs_again(with([](Tool& t) { t.output.keys.rule = "message"; })));
  EXPECT_TRUE(runs_again(with([](Tool& t) { t.exit_statuses = {0, 1}; })));
  EXPECT_TRUE(runs_again(with([](Tool& t) { t.version = {"echo", "2.0"}; })));
  // What it says below the first line of its version may be the version of what it is built on.
  EXPECT_TRUE(runs_again(with([](Tool& t) { t.version = {"echo", "2.0\non 1.1"}; })));
  EXPECT_TRUE(runs_again(with([](Tool& t) { t.version = {"echo", "2.0\non 1.2"}; })));
  EXPECT_FALSE(runs_again(tool));
}

TEST_F(EvaluatorTest, WhatIsStoredIsReadWithoutRunning)
{
  Toolbox box;
  box.tools = {good()};
  box.asked = {0};
  Result<RunStore> store = RunStore::open(m_folder->path() / "store.sqlite");
  run::Compiler compiler(machine().machine(), m_folder->path(), run::Isolation::sandbox);
  EvaluatorConfig config;
  config.own = {FL_BINARY, FL_SOURCE_DIR};
  std::string said;
  config.on_output = [&said](std::string_view text) { said += text; };
  std::vector<std::string> finished;
  const auto verdict = [&](bool only_stored) {
    config.only_stored = only_stored;
    Evaluator evaluator(machine(), *store, compiler, config);
    const Evaluation evaluation = evaluator.evaluate(
        box,
        {subject()},
        [](size_t) {},
        [&finished](const FinishedToolRun& done) {
          finished.push_back(done.tool.name + " " +
                             (done.version == catalog::Version::buggy ? "buggy" : "fixed"));
        });
    return evaluation.tools.front().cells.front().judgement;
  };
  box.tools[0].command[2] = "echo looking >&2; " + box.tools[0].command[2];
  const std::string stamp = *store->stamp();
  EXPECT_EQ(verdict(true).verdict, Verdict::not_run);
  EXPECT_EQ(verdict(true).reason, "not run yet");
  EXPECT_EQ(said, "");
  EXPECT_EQ(*store->stamp(), stamp);
  EXPECT_TRUE(store->subjects()->empty());
  finished.clear();
  EXPECT_EQ(verdict(false).verdict, Verdict::right_place);
  const std::vector<std::string> both = {"good buggy", "good fixed"};
  EXPECT_EQ(finished, both);
  EXPECT_EQ(said, "looking\nlooking\n");
  EXPECT_NE(*store->stamp(), stamp);
  EXPECT_EQ(*store->subjects(), std::set<std::string>{"f"});
  EXPECT_EQ(verdict(true).verdict, Verdict::right_place);
  EXPECT_EQ(said, "looking\nlooking\n");

  run::StopFlag stop = true; // nothing more is run
  config.stop = &stop;
  config.fresh = true;
  EXPECT_EQ(verdict(false).verdict, Verdict::not_run);
}

TEST_F(EvaluatorTest, AToolThatMeansHarmCostsItsOwnScoreOnly)
{
  const std::string nothing = "echo '[]'";
  const std::string outside =
      "for f in /etc/x /usr/x /x /faultline-init ../../x \"$HOME/../x\"; do echo bad > $f; done; "
      "echo bad > ../x; " +
      nothing;
  const std::vector<Tool> tools = {
      good(),
      shell("endless-output", "yes '[{\"rule\":\"R\"}]'"),
      shell("endless-log", "yes >&2"),
      shell("segfault", "kill -SEGV $$"),
      shell("exit-status", nothing + "; exit 7"),
      shell("missing-program", "exec /no/such/program"),
      shell("writes-outside", outside),
      shell("invalid-json", "echo '[{'"),
      shell("deep-json", "head -c 900000 /dev/zero | tr '\\0' '['"),
      shell("not-utf8", "printf '[{\"rule\":\"\\377\\376\"}]'"),
      shell("hangs", "sleep 100"),
      shell("memory-bomb", "exec python3 -c 'x = []\nwhile True: x.append(bytearray(1 << 20))'"),
      shell("fork-bomb", "f() { f | f & }; f; sleep 100"),
      shell("leaves-children", "sleep 100 & " + nothing),
  };
  const Evaluation evaluation = evaluate(tools);
  std::map<std::string, Judgement> by_name;
  for (const ToolResult& tool : evaluation.tools) {
    by_name[tool.tool.name] = tool.cells[0].judgement;
  }
  EXPECT_EQ(by_name["good"].verdict, Verdict::right_place);
  EXPECT_EQ(by_name["endless-output"].verdict, Verdict::crashed);
  EXPECT_EQ(by_name["endless-output"].reason, "printed more than 1 MiB");
  EXPECT_EQ(by_name["endless-log"].verdict, Verdict::crashed);
  EXPECT_EQ(by_name["segfault"].verdict, Verdict::crashed);
  EXPECT_EQ(by_name["segfault"].reason, "killed by SIGSEGV");
  EXPECT_EQ(by_name["exit-status"].verdict, Verdict::crashed);
  EXPECT_EQ(by_name["exit-status"].reason, "exit status 7");
  EXPECT_EQ(by_name["missing-program"].verdict, Verdict::crashed);
  EXPECT_EQ(by_name["writes-outside"].verdict, Verdict::said_nothing);
  EXPECT_EQ(by_name["invalid-json"].verdict, Verdict::crashed);
  EXPECT_EQ(by_name["deep-json"].verdict, Verdict::crashed);
  EXPECT_EQ(by_name["deep-json"].reason, "JSON nested more than 100 deep");
  EXPECT_EQ(by_name["not-utf8"].verdict, Verdict::crashed);
  EXPECT_EQ(by_name["hangs"].verdict, Verdict::timed_out);
  EXPECT_EQ(by_name["memory-bomb"].verdict, Verdict::out_of_memory);
  EXPECT_TRUE(by_name["fork-bomb"].verdict == Verdict::crashed ||
              by_name["fork-bomb"].verdict == Verdict::timed_out)
      << name_of(by_name["fork-bomb"].verdict);
  EXPECT_EQ(by_name["leaves-children"].verdict, Verdict::said_nothing);
  for (const char* path : {"/etc/x", "/usr/x", "/x"}) {
    EXPECT_FALSE(fs::exists(path)) << path;
  }
}

TEST_F(EvaluatorTest, TwoHundredMegabytesOfSarifAreRefused)
{
  Tool tool = shell("huge",
                    "printf '{\"runs\":[{\"results\":['; head -c 200000000 /dev/zero | tr '\\0' "
                    "'0'; printf ']}]}'");
  tool.output.format = OutputFormat::sarif;
  tool.limits.output_mib = 128;
  tool.limits.timeout_seconds = 60;
  const Judgement judgement = judged(tool);
  EXPECT_EQ(judgement.verdict, Verdict::crashed);
  EXPECT_EQ(judgement.reason, "printed more than 128 MiB");
}

TEST_F(EvaluatorTest, OutputMayBeLongerThanALog)
{
  Tool tool = shell("long",
                    "printf '[{\"rule\":\"R\",\"file\":\"train.py\",\"line\":2,\"message\":\"'; "
                    "head -c 8000000 /dev/zero | tr '\\0' 'x'; printf '\"}]'");
  tool.limits.output_mib = 16;
  tool.limits.timeout_seconds = 30;
  const Judgement judgement = judged(tool);
  EXPECT_EQ(judgement.verdict, Verdict::said_nothing)
      << judgement.reason; // the same on both versions
  ASSERT_EQ(judgement.findings.size(), 1U);
  EXPECT_EQ(judgement.findings[0].finding.message.size(), k_longest_message);
}

TEST_F(EvaluatorTest, ADynamicToolRunsTheProgram)
{
  Tool tool = shell("dynamic", "");
  tool.approach = Approach::running;
  tool.command = {"{run}"};
  tool.output.format = OutputFormat::text;
  tool.output.patterns = {"(?<rule>bad)"};
  const Judgement judgement = judged(tool);
  EXPECT_EQ(judgement.verdict, Verdict::wrong_cause) << judgement.reason; // it names no line
}

TEST_F(EvaluatorTest, AToolThatIsNotThereIsNotInstalled)
{
  Tool tool = good();
  tool.needs = {"/no/such/tool"};
  tool.install = "get it";
  const Evaluation evaluation = evaluate({tool});
  EXPECT_EQ(evaluation.tools[0].not_installed, "/no/such/tool is missing (get it)");
  EXPECT_EQ(evaluation.tools[0].cells[0].judgement.verdict, Verdict::not_installed);
  EXPECT_EQ(evaluation.runs, 0U);
  tool.needs = {"no-such-program"};
  EXPECT_EQ(judged(tool).verdict, Verdict::not_installed);
  tool.needs = {"sh"};
  EXPECT_EQ(judged(tool).verdict, Verdict::right_place);
}

TEST_F(EvaluatorTest, AToolForAnotherLanguageIsNotRun)
{
  Tool tool = good();
  tool.languages = {"javascript"};
  const Judgement judgement = judged(tool);
  EXPECT_EQ(judgement.verdict, Verdict::not_applicable);
  EXPECT_EQ(judgement.reason, "not for python");
}

TEST_F(EvaluatorTest, AsksForTheVersion)
{
  Tool tool = good();
  tool.version = {"sh", "-c", "echo mine 1.2 >&2; echo more"};
  EXPECT_EQ(evaluate({tool}).tools[0].version, "mine 1.2");
}

TEST_F(EvaluatorTest, OurOwnCheckRunsInside)
{
  const Result<catalog::Schemes> schemes =
      catalog::load_schemes(fs::path(FL_SOURCE_DIR) / "taxonomy");
  ASSERT_TRUE(schemes);
  const Result<Tool> check = load_tool(fs::path(FL_SOURCE_DIR) / "tools/check.toml", *schemes);
  ASSERT_TRUE(check) << check.error().line();
  const Evaluation evaluation = evaluate({*check});
  EXPECT_TRUE(evaluation.tools[0].version.starts_with("faultline")) << evaluation.tools[0].version;
  EXPECT_EQ(evaluation.tools[0].cells[0].judgement.verdict, Verdict::said_nothing)
      << evaluation.tools[0].cells[0].judgement.reason;
}

} // namespace faultline::evaluate
