#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::target_not_int64);
}

extern const Rule target_not_int64{
    .name = "target-not-int64",
    .summary = "Finds class indices of a type that cross entropy does not take",
    .applies = "torch",
    .type = "tensors-and-inputs/wrong-input/wrong-type-of-input-data/"
            "wrong-type-of-input-data-for-a-method",
    .fix_pattern = "data-type",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
