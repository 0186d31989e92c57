#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::reshape);
}

extern const Rule impossible_reshape{
    .name = "impossible-reshape",
    .summary = "Finds reshapes that would have to lose or invent elements",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-tensor-shape/tensor-shape-mismatch",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
