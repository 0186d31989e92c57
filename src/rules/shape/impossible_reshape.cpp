#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule impossible_reshape{
    .name = "impossible-reshape",
    .summary = "Finds reshapes that would have to lose or invent elements",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-tensor-shape/tensor-shape-mismatch",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::reshape>,
};

} // namespace faultline::rules
