#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule index_out_of_range{
    .name = "index-out-of-range",
    .summary = "Finds indices outside a tensor's known size",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::index>,
};

} // namespace faultline::rules
