#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::skip_size);
}

extern const Rule skip_size_mismatch{
    .name = "skip-size-mismatch",
    .summary = "Finds skip connections that join maps of different size",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
