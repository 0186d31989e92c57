#include "evaluate/tool_run.hpp"

#include <gtest/gtest.h>

namespace faultline::evaluate {

// A tool that runs the program and ends as the program does.
static Tool watcher(OutputFormat format)
{
  Tool tool;
  tool.any_exit_status = true;
  tool.output.format = format;
  tool.output.keys.rule = "rule";
  return tool;
}

static run::RunOutcome out_of_memory(std::string printed)
{
  run::RunOutcome outcome;
  outcome.ending = run::Ending::out_of_memory;
  outcome.code = 1;
  outcome.log = "RuntimeError: DefaultCPUAllocator: can't allocate memory";
  outcome.result = std::move(printed);
  return outcome;
}

TEST(ToolRun, AProgramWithoutMemoryIsNotItsWatchersFault)
{
  const ToolRun run =
      tool_run_of(watcher(OutputFormat::json), out_of_memory(R"([{"rule": "TR012"}])"));
  EXPECT_EQ(run.status, RunStatus::fine);
  ASSERT_EQ(run.findings.size(), 1U);
  EXPECT_EQ(run.findings[0].rule, "TR012");
}

TEST(ToolRun, AWatcherThatDidNotFinishIsOutOfMemoryItself)
{
  for (const char* cut : {"", R"([{"rule": "TR0)"}) {
    EXPECT_EQ(tool_run_of(watcher(OutputFormat::json), out_of_memory(cut)).status,
              RunStatus::out_of_memory)
        << cut;
  }
}

TEST(ToolRun, TextDoesNotShowWhetherItIsWhole)
{
  EXPECT_EQ(tool_run_of(watcher(OutputFormat::text), out_of_memory("a.py:1: TR012\n")).status,
            RunStatus::out_of_memory);
}

TEST(ToolRun, AToolWithAStatusOfItsOwnIsOutOfMemory)
{
  Tool tool = watcher(OutputFormat::json);
  tool.any_exit_status = false;
  EXPECT_EQ(tool_run_of(tool, out_of_memory("[]")).status, RunStatus::out_of_memory);
}

} // namespace faultline::evaluate
