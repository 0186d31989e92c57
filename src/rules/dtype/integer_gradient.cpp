#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::integer_gradient);
}

extern const Rule integer_gradient{
    .name = "integer-gradient",
    .summary = "Finds integer tensors that should require a gradient",
    .applies = "torch",
    .type = "tensors-and-inputs/wrong-input/wrong-input-format/incompatible-tensor-type",
    .fix_pattern = "data-type",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
