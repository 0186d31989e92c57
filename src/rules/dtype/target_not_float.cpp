#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::target_not_float);
}

extern const Rule target_not_float{
    .name = "target-not-float",
    .summary = "Finds integer targets of losses that want floats",
    .applies = "torch",
    .leaf = "I10",
    .fix = "DT",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
