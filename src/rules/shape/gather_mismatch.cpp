#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::gather);
}

extern const Rule gather_mismatch{
    .name = "gather-mismatch",
    .summary = "Finds gather, scatter and one-hot whose indices do not fit",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
