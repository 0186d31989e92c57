#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::precision_loss);
}

extern const Rule precision_loss{
    .name = "precision-loss",
    .summary = "Finds large whole numbers that float32 rounds",
    .applies = "any",
    .leaf = "Q02",
    .fix = "DT",
    .severity = Severity::info,
    .confidence = Confidence::low,
    .status = Status::preview,
    .check = check,
};

} // namespace faultline::rules
