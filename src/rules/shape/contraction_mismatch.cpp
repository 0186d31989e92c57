#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule contraction_mismatch{
    .name = "contraction-mismatch",
    .summary = "Finds matrix products whose inner sizes differ",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-tensor-shape/tensor-shape-mismatch",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::contraction>,
};

} // namespace faultline::rules
