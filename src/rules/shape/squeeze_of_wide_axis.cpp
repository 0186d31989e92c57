#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule squeeze_of_wide_axis{
    .name = "squeeze-of-wide-axis",
    .summary = "Finds squeezes of an axis whose size is not 1",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape",
    .fix_pattern = "data-dimension",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check_problems<program::ProblemKind::squeeze>,
};

} // namespace faultline::rules
