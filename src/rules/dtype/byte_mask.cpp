#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule byte_mask{
    .name = "byte-mask",
    .summary = "Finds masks that are neither boolean nor meant to be",
    .applies = "torch",
    .type = "tensors-and-inputs/wrong-input/wrong-input-format/incompatible-tensor-type",
    .fix_pattern = "data-type",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check_problems<program::ProblemKind::mask_dtype>,
};

} // namespace faultline::rules
