#include "evaluate/tool_run.hpp"

#include "base/format.hpp"
#include "evaluate/output.hpp"

namespace faultline::evaluate {

constexpr size_t k_most_log = 8UL * 1024;
constexpr size_t k_most_output = 32UL * 1024;

static std::string shortened(std::string_view text, size_t most = k_most_log)
{
  if (text.size() <= most) {
    return std::string(text);
  }
  return std::string(text.substr(0, most / 2)) +
         format("\n[{} bytes left out]\n", text.size() - most) +
         std::string(text.substr(text.size() - most / 2));
}

// Whether it is the program under a tool that ran out of memory, not the tool: one that hands on
// the program's exit status hands on its complaints too, but came to the end of its own document.
static bool is_of_the_program(const Tool& tool, const run::RunOutcome& outcome)
{
  return tool.any_exit_status && tool.output.format != OutputFormat::text &&
         outcome.ending == run::Ending::out_of_memory &&
         read_output(outcome.result, tool.output).problem.empty();
}

ToolRun tool_run_of(const Tool& tool, const run::RunOutcome& outcome)
{
  ToolRun run;
  run.seconds = outcome.wall_seconds;
  run.memory_kib = outcome.peak_memory_kib;
  run.log = shortened(outcome.log);
  run.output = shortened(outcome.result, k_most_output);
  const auto ended = [&run](RunStatus status, std::string reason) {
    run.status = status;
    run.reason = std::move(reason);
    return run;
  };
  if (!outcome.is_verdict()) {
    return ended(RunStatus::not_run, outcome.reason);
  }
  if (outcome.ending == run::Ending::timed_out) {
    return ended(RunStatus::timed_out, describe(outcome));
  }
  const bool of_the_program = is_of_the_program(tool, outcome);
  if (outcome.ending == run::Ending::out_of_memory && !of_the_program) {
    return ended(RunStatus::out_of_memory, describe(outcome));
  }
  if (outcome.result.size() > tool.limits.output_mib * 1024 * 1024) {
    return ended(RunStatus::crashed, format("printed more than {} MiB", tool.limits.output_mib));
  }
  const bool status_is_fine =
      of_the_program || (outcome.ending == run::Ending::exited &&
                         (tool.any_exit_status || tool.exit_statuses.contains(outcome.code)));
  if (!status_is_fine) {
    return ended(RunStatus::crashed, describe(outcome));
  }
  ToolOutput output = read_output(outcome.result, tool.output);
  if (!output.problem.empty()) {
    run.log += (run.log.empty() ? "" : "\n") + shortened(outcome.result);
    return ended(RunStatus::crashed, output.problem);
  }
  run.findings = std::move(output.findings);
  run.matched = output.matched;
  run.unmatched = output.unmatched;
  return ended(RunStatus::fine, "");
}

} // namespace faultline::evaluate
