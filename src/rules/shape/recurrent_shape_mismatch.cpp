#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::recurrent_shape);
}

extern const Rule recurrent_shape_mismatch{
    .name = "recurrent-shape-mismatch",
    .summary = "Finds inputs and states that do not fit a recurrent layer",
    .applies = "any",
    .leaf = "I13",
    .fix = "DD",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
