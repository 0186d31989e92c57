#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule wrong_flat_size{
    .name = "wrong-flat-size",
    .summary = "Finds dense layers whose input size is not the size of the flattened feature maps",
    .applies = "any",
    .type = "model/layers/layer-properties/wrong-input-sample-size-for-linear-layer",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::flat_size>,
};

} // namespace faultline::rules
