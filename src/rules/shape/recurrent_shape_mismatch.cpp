#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::recurrent_shape);
}

extern const Rule recurrent_shape_mismatch{
    .name = "recurrent-shape-mismatch",
    .summary = "Finds inputs and states that do not fit a recurrent layer",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-input/wrong-input-format/wrong-input-format-for-rnn",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
