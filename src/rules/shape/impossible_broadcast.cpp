#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule impossible_broadcast{
    .name = "impossible-broadcast",
    .summary = "Finds element-wise operations on shapes that cannot be aligned",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-tensor-shape/tensor-shape-mismatch",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::broadcast>,
};

} // namespace faultline::rules
