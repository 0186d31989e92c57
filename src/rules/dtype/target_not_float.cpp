#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule target_not_float{
    .name = "target-not-float",
    .summary = "Finds integer targets of losses that want floats",
    .applies = "torch",
    .type = "tensors-and-inputs/wrong-input/wrong-type-of-input-data/"
            "wrong-type-of-input-data-for-a-method",
    .fix_pattern = "data-type",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::target_not_float>,
};

} // namespace faultline::rules
