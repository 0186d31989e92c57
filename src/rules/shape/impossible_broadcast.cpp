#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::broadcast);
}

extern const Rule impossible_broadcast{
    .name = "impossible-broadcast",
    .summary = "Finds element-wise operations on shapes that cannot be aligned",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-tensor-shape/tensor-shape-mismatch",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
