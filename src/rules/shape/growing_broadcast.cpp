#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::both_grow);
}

extern const Rule growing_broadcast{
    .name = "growing-broadcast",
    .summary = "Finds losses and metrics where both operands are silently stretched",
    .applies = "any",
    .leaf = "I03",
    .fix = "DD",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
