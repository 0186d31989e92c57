#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule empty_feature_map{
    .name = "empty-feature-map",
    .summary = "Finds convolutions and pools that are larger than their input",
    .applies = "any",
    .type = "model/layers/layer-properties/wrong-filter-size-for-a-convolutional-layer",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::empty_result>,
};

} // namespace faultline::rules
