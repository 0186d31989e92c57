#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule integer_gradient{
    .name = "integer-gradient",
    .summary = "Finds integer tensors that should require a gradient",
    .applies = "torch",
    .type = "tensors-and-inputs/wrong-input/wrong-input-format/incompatible-tensor-type",
    .fix_pattern = "data-type",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::integer_gradient>,
};

} // namespace faultline::rules
