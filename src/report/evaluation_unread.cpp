#include "base/format.hpp"
#include "base/text.hpp"
#include "report/evaluation_report.hpp"
#include "report/excerpt.hpp"

namespace faultline::report {

using evaluate::Attempt;
using evaluate::Cell;
using evaluate::OutputFormat;
using evaluate::ToolResult;
using evaluate::ToolRun;

OutputLines lines_of(const Cell& cell)
{
  OutputLines lines;
  for (const Attempt& attempt : cell.attempts) {
    for (const ToolRun* run : {&attempt.buggy, &attempt.fixed}) {
      lines.matched += run->matched;
      lines.unmatched += run->unmatched;
    }
  }
  return lines;
}

std::vector<std::string> unread_of(const ToolResult& tool,
                                   const std::vector<evaluate::Subject>& subjects)
{
  OutputLines all;
  size_t programs = 0;
  size_t unread = 0;
  std::string first;
  for (size_t s = 0; s < tool.cells.size(); ++s) {
    const OutputLines lines = lines_of(tool.cells[s]);
    all.matched += lines.matched;
    all.unmatched += lines.unmatched;
    programs += lines.matched + lines.unmatched > 0 ? 1 : 0;
    if (lines.unmatched > 0 && lines.matched == 0) {
      first = first.empty() ? subjects[s].id : first;
      ++unread;
    }
  }
  if (all.unmatched == 0 || tool.tool.is_union()) {
    return {};
  }
  const bool is_text = tool.tool.output.format == OutputFormat::text;
  std::string text = format("{}: {} of what it printed {}, {} did not",
                            printable(tool.tool.name),
                            count_of(all.matched, is_text ? "line" : "element"),
                            is_text ? "matched a pattern" : "gave a finding",
                            all.unmatched);
  if (unread > 0) {
    text +=
        format("; on {} of {} nothing did: `faultline evaluate {} --tool {} --verbose` shows it",
               unread,
               count_of(programs, "program"),
               printable(first),
               printable(tool.tool.name));
  }
  return {text};
}

} // namespace faultline::report
