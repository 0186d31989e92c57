#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::foreign_tensor);
}

extern const Rule foreign_tensor{
    .name = "foreign-tensor",
    .summary = "Finds functions of one library called on another's tensors",
    .applies = "any",
    .leaf = "I10",
    .fix = "AP",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
