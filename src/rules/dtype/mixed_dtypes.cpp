#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule mixed_dtypes{
    .name = "mixed-dtypes",
    .summary = "Finds TensorFlow operations on tensors of different types",
    .applies = "tf1 tf2",
    .type = "tensors-and-inputs/wrong-input/wrong-input-format/incompatible-tensor-type",
    .fix_pattern = "data-type",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::dtype_mix>,
};

} // namespace faultline::rules
