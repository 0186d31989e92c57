#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule skip_size_mismatch{
    .name = "skip-size-mismatch",
    .summary = "Finds skip connections that join maps of different size",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::skip_size>,
};

} // namespace faultline::rules
