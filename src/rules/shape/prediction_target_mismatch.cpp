#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::loss_shape);
}

extern const Rule prediction_target_mismatch{
    .name = "prediction-target-mismatch",
    .summary = "Finds predictions and targets whose shapes the loss cannot combine",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-input/wrong-shape-of-input-data/"
            "wrong-shape-of-input-data-for-a-method",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
