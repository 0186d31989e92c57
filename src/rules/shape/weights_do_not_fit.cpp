#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::weights_shape);
}

extern const Rule weights_do_not_fit{
    .name = "weights-do-not-fit",
    .summary = "Finds weights that are set with the wrong shape or number",
    .applies = "any",
    .leaf = "I14",
    .fix = "NC",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
