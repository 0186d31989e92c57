#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::concat);
}

extern const Rule concat_mismatch{
    .name = "concat-mismatch",
    .summary = "Finds concatenations and stacks of tensors that do not fit together",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-tensor-shape/tensor-shape-mismatch",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
