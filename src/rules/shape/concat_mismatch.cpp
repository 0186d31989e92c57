#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule concat_mismatch{
    .name = "concat-mismatch",
    .summary = "Finds concatenations and stacks of tensors that do not fit together",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-tensor-shape/tensor-shape-mismatch",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::concat>,
};

} // namespace faultline::rules
