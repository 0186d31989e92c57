#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule prediction_target_mismatch{
    .name = "prediction-target-mismatch",
    .summary = "Finds predictions and targets whose shapes the loss cannot combine",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-input/wrong-shape-of-input-data/"
            "wrong-shape-of-input-data-for-a-method",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::loss_shape>,
};

} // namespace faultline::rules
