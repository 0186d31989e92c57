#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule impossible_expand{
    .name = "impossible-expand",
    .summary = "Finds expand, tile and repeat that do not fit their source",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-tensor-shape/tensor-shape-mismatch",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::expand>,
};

} // namespace faultline::rules
