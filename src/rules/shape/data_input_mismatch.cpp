#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::input_shape);
}

extern const Rule data_input_mismatch{
    .name = "data-input-mismatch",
    .summary = "Finds data whose shape differs from what the model was declared for",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-input/wrong-shape-of-input-data/"
            "wrong-shape-of-input-data-for-a-layer",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
