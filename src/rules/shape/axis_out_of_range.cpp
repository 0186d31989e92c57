#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule axis_out_of_range{
    .name = "axis-out-of-range",
    .summary = "Finds axis arguments that the tensor does not have",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::axis>,
};

} // namespace faultline::rules
