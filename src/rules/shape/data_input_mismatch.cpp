#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule data_input_mismatch{
    .name = "data-input-mismatch",
    .summary = "Finds data whose shape differs from what the model was declared for",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-input/wrong-shape-of-input-data/"
            "wrong-shape-of-input-data-for-a-layer",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::input_shape>,
};

} // namespace faultline::rules
