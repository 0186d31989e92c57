#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule attention_shape_mismatch{
    .name = "attention-shape-mismatch",
    .summary = "Finds attention whose width its heads do not divide or whose inputs do not fit",
    .applies = "any",
    .type = "model/layers/layer-properties/layers-dimensions-mismatch",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::attention_shape>,
};

} // namespace faultline::rules
