#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::attention_shape);
}

extern const Rule attention_shape_mismatch{
    .name = "attention-shape-mismatch",
    .summary = "Finds attention whose width its heads do not divide or whose inputs do not fit",
    .applies = "any",
    .type = "model/layers/layer-properties/layers-dimensions-mismatch",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
