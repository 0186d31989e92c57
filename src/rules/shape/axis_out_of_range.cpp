#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::axis);
}

extern const Rule axis_out_of_range{
    .name = "axis-out-of-range",
    .summary = "Finds axis arguments that the tensor does not have",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
