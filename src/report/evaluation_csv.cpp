#include "base/format.hpp"
#include "evaluate/reason.hpp"
#include "report/csv.hpp"
#include "report/evaluation_report.hpp"

#include <algorithm>

namespace faultline::report {

using evaluate::JudgedFinding;

// The first right finding, or the first that detects, or nothing.
static const JudgedFinding* best_of(const std::vector<JudgedFinding>& findings)
{
  for (const auto& good : {+[](const JudgedFinding& f) { return f.right_line; },
                           +[](const JudgedFinding& f) { return f.right_type; },
                           +[](const JudgedFinding&) { return true; }}) {
    const auto found = std::ranges::find_if(
        findings, [good](const JudgedFinding& f) { return !f.stays && good(f); });
    if (found != findings.end()) {
      return &*found;
    }
  }
  return nullptr;
}

std::string evaluation_csv(const evaluate::Evaluation& evaluation)
{
  const std::string header[] = {"tool",
                                "fault",
                                "verdict",
                                "findings",
                                "false_alarms",
                                "seconds",
                                "memory_mib",
                                "rule",
                                "file",
                                "line",
                                "type",
                                "distance",
                                "reason",
                                "why",
                                "hash"};
  std::string csv = csv_line(header);
  for (const evaluate::ToolResult& tool : evaluation.tools) {
    for (size_t s = 0; s < evaluation.subjects.size(); ++s) {
      const evaluate::Judgement& judgement = tool.cells[s].judgement;
      const JudgedFinding* best = best_of(judgement.findings);
      const std::string fields[] = {
          tool.tool.name,
          evaluation.subjects[s].id,
          std::string(name_of(judgement.verdict)),
          format("{}", judgement.findings.size()),
          format("{}", judgement.alarms.size()),
          format("{:.3f}", judgement.seconds),
          format("{}", judgement.memory_kib / 1024),
          best == nullptr ? "" : best->finding.rule,
          best == nullptr ? "" : best->finding.file,
          best == nullptr || best->finding.line == 0 ? "" : format("{}", best->finding.line),
          best == nullptr ? "" : best->type,
          best == nullptr || !best->distance ? "" : format("{}", *best->distance),
          judgement.reason,
          reason_for(judgement, evaluation.subjects[s]),
          tool.hash};
      csv += csv_line(fields);
    }
  }
  return csv;
}

} // namespace faultline::report
