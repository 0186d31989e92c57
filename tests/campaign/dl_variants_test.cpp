// What DL operators make must run: every operator changes two real training programs, and each
// variant ends well or with the exception that its fault explains.

#include "inject/variant.hpp"
#include "run/job_fixture.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace faultline::inject {

static std::string read(const std::string& name)
{
  std::ifstream file(std::string(FL_TEST_DATA) + "/inject/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// "RuntimeError" of the last line of a traceback; empty if it ended well.
static std::string exception_of(const run::RunOutcome& outcome)
{
  if (outcome.succeeded()) {
    return {};
  }
  const size_t begin = outcome.log.rfind("Traceback (most recent call last)");
  std::istringstream lines(begin == std::string::npos ? outcome.log : outcome.log.substr(begin));
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.front() != ' ' && line.front() != '\t') {
      last = line;
    }
  }
  return last.substr(0, last.find(':'));
}

// Operators whose faults a program may die of, and how. All others must end well.
static const std::map<std::string, std::set<std::string>> k_deadly = {
    {"MU301", {"RuntimeError"}}, // the dense layer gets pictures
    {"MU302", {"RuntimeError"}}, // the first layer gets other data
    {"MU303", {"RuntimeError"}}, // the loss gets another width
    {"MU304", {"RuntimeError"}},
    {"MU305", {"RuntimeError"}}, // the picture shrinks
    {"MU322", {"RuntimeError"}}, // the loss wants whole numbers
    {"MU335", {"IndexError"}},   // a number has no element 0
    {"MU336", {"FileNotFoundError"}},
    {"MU341", {"RuntimeError"}}, // names do not fit
    {"MU352", {"RuntimeError"}},
    {"MU353", {"RuntimeError"}},   // the picture shrinks
    {"MU354", {"RuntimeError"}},   // the picture stays large
    {"MU357", {"AttributeError"}}, // layers have no place
    {"MU362", {"RuntimeError"}},
    {"MU364", {"RuntimeError"}}, // 64-bit inputs, or whole numbers as targets
    {"MU365", {"RuntimeError"}},
    {"MU366", {"RuntimeError"}},   // columns are taken for channels
    {"MU371", {"RuntimeError"}},   // weights changed before they were used
    {"MU376", {"AttributeError"}}, // an array is no tensor
    {"MU384", {"RuntimeError", "ValueError"}},
};

class DlVariants : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Programs,
                         DlVariants,
                         testing::Values("train.py", "shapes.py"),
                         [](const auto& tested) {
                           const std::string name = tested.param;
                           return name.substr(0, name.find('.'));
                         });

TEST_P(DlVariants, EndWellOrAsTheirFaultExplains)
{
  const std::string text = read(GetParam());
  ASSERT_FALSE(text.empty());
  const run::RunOutcome clean = run::run_as(run::Start::warm, run::python_job(text));
  ASSERT_TRUE(clean.succeeded()) << clean.log << clean.reason;

  const FileTree files = {{GetParam(), text}};
  Selection selection;
  for (const Operator* op : all_operators()) {
    if (op->level == Level::dl) {
      selection.operators.push_back(op);
    }
  }
  std::set<std::string> tried;
  for (const Variant& variant : make_variants(files, selection)) {
    // One of each operator keeps the test short.
    if (!tried.insert(variant.op).second) {
      continue;
    }
    const std::string changed = *changed_text(variant, files);
    const run::RunOutcome outcome = run::run_as(run::Start::warm, run::python_job(changed));
    ASSERT_TRUE(outcome.is_verdict()) << outcome.reason;
    const std::string exception = exception_of(outcome);
    const auto deadly = k_deadly.find(variant.op);
    const bool is_explained =
        exception.empty() || (deadly != k_deadly.end() && deadly->second.contains(exception));
    EXPECT_TRUE(is_explained) << variant.op << " " << variant.setting << " at line " << variant.line
                              << ": `" << variant.before << "` became `" << variant.after
                              << "` and died of " << exception << "\n"
                              << outcome.log;
  }
  EXPECT_GE(tried.size(), 40U);
}

} // namespace faultline::inject
