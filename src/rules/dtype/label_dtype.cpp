#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule label_dtype{
    .name = "label-dtype",
    .summary = "Finds labels that are text, or lists of unequal length",
    .applies = "keras",
    .type = "tensors-and-inputs/wrong-input/wrong-type-of-input-data/"
            "wrong-type-of-input-data-for-a-method",
    .fix_pattern = "data-type",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::label_dtype>,
};

} // namespace faultline::rules
