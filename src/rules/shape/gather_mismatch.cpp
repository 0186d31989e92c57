#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule gather_mismatch{
    .name = "gather-mismatch",
    .summary = "Finds gather, scatter and one-hot whose indices do not fit",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::gather>,
};

} // namespace faultline::rules
