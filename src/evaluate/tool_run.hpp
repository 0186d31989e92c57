#pragma once

#include "evaluate/finding.hpp"
#include "evaluate/tool.hpp"
#include "run/outcome.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace faultline::evaluate {

enum class RunStatus {
  fine,
  crashed, // also: printed too much, or what cannot be read
  timed_out,
  out_of_memory,
  not_run, // the machine could not, or we were interrupted; never a verdict
};

// What running a tool on one version gave.
struct ToolRun {
  RunStatus status = RunStatus::not_run;
  std::string reason; // why it is not fine
  double seconds = 0;
  size_t memory_kib = 0;
  std::string log; // start and end of its standard error, or of its output if it was not understood
  std::string output; // start and end of what it printed
  // Of what it printed, the lines or entries that gave a finding, and those that gave none.
  size_t matched = 0;
  size_t unmatched = 0;
  std::vector<ToolFinding> findings;
  bool from_store = false;
};

// The outcome of a tool's job, with what it printed read.
ToolRun tool_run_of(const Tool& tool, const run::RunOutcome& outcome);

} // namespace faultline::evaluate
