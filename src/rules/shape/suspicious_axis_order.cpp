#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::axis_order);
}

extern const Rule suspicious_axis_order{
    .name = "suspicious-axis-order",
    .summary = "Finds images whose channel axis looks like a picture's side",
    .applies = "any",
    .leaf = "I12",
    .fix = "DD",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
