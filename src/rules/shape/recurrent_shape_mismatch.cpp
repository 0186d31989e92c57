#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule recurrent_shape_mismatch{
    .name = "recurrent-shape-mismatch",
    .summary = "Finds inputs and states that do not fit a recurrent layer",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-input/wrong-input-format/wrong-input-format-for-rnn",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::recurrent_shape>,
};

} // namespace faultline::rules
