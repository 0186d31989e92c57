#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule double_meets_float{
    .name = "double-meets-float",
    .summary = "Finds float64 data given to float32 weights",
    .applies = "torch",
    .type = "tensors-and-inputs/wrong-input/wrong-type-of-input-data/"
            "wrong-type-of-input-data-for-a-layer",
    .fix_pattern = "data-type",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::double_meets_float>,
};

} // namespace faultline::rules
