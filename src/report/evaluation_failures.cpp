#include "base/format.hpp"
#include "base/text.hpp"
#include "report/evaluation_report.hpp"
#include "report/excerpt.hpp"

#include <algorithm>
#include <array>

namespace faultline::report {

using evaluate::Attempt;
using evaluate::Cell;
using evaluate::RunStatus;
using evaluate::ToolResult;
using evaluate::ToolRun;
using evaluate::Verdict;

namespace {

// Longer lines of a tool are cut.
constexpr size_t k_most_said = 200;

struct Failure {
  Verdict verdict;
  std::string_view words;
};

constexpr std::array<Failure, 4> k_failures = {{{Verdict::crashed, "crashed"},
                                                {Verdict::timed_out, "timed out"},
                                                {Verdict::out_of_memory, "ran out of memory"},
                                                {Verdict::not_run, "was not run"}}};

// The run that the verdict is about; a union fails where its first member does.
const ToolRun* failed_run(const Cell& cell)
{
  for (const Attempt& attempt : cell.attempts) {
    if (attempt.not_applicable || attempt.not_installed) {
      continue;
    }
    for (const ToolRun* run : {&attempt.buggy, &attempt.fixed}) {
      if (run->status != RunStatus::fine) {
        return run;
      }
    }
  }
  return nullptr;
}

// The last line that is not blank: where programs say why they end.
std::string last_line(std::string_view log)
{
  log = trim(log);
  const std::string_view line = trim(log.substr(log.rfind('\n') + 1)); // npos + 1 is 0
  return printable(line.size() <= k_most_said ? line : line.substr(0, k_most_said)) +
         (line.size() <= k_most_said ? "" : "…");
}

std::string reason_of(const Cell& cell, const Failure& failure)
{
  const std::string& reason = cell.judgement.reason;
  const std::string shown = reason == name_of(failure.verdict) ? "" : printable(reason);
  const ToolRun* run = failed_run(cell);
  // An exit status or a signal says little; other reasons explain themselves.
  const bool is_bare = run != nullptr && (run->reason.starts_with("exit status") ||
                                          run->reason.starts_with("killed by"));
  const std::string said = is_bare ? last_line(run->log) : "";
  return shown + (shown.empty() || said.empty() ? "" : ": ") + said;
}

} // namespace

std::vector<std::string> failures_of(const ToolResult& tool,
                                     const std::vector<evaluate::Subject>& subjects)
{
  const auto is_asked = [](const Cell& cell) {
    return cell.judgement.verdict != Verdict::not_applicable &&
           cell.judgement.verdict != Verdict::not_installed;
  };
  const auto asked = std::ranges::count_if(tool.cells, is_asked);
  std::vector<std::string> lines;
  for (const Failure& failure : k_failures) {
    const auto failed = [&failure](const Cell& cell) {
      return cell.judgement.verdict == failure.verdict;
    };
    const auto first = std::ranges::find_if(tool.cells, failed);
    if (first == tool.cells.end()) {
      continue;
    }
    const std::string reason = reason_of(*first, failure);
    lines.push_back(format("{} {} on {} of {}; the first is {}{}{}",
                           printable(tool.tool.name),
                           failure.words,
                           std::ranges::count_if(tool.cells, failed),
                           count_of(static_cast<size_t>(asked), "program"),
                           printable(subjects[static_cast<size_t>(first - tool.cells.begin())].id),
                           reason.empty() ? "" : ": ",
                           reason));
  }
  return lines;
}

} // namespace faultline::report
