#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::half_precision);
}

extern const Rule half_precision_limits{
    .name = "half-precision-limits",
    .summary = "Finds constants that float16 cannot hold",
    .applies = "any",
    .leaf = "Q02",
    .fix = "DT",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
