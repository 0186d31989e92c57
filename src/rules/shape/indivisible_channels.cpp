#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule indivisible_channels{
    .name = "indivisible-channels",
    .summary = "Finds groups and shuffles that do not divide the channels",
    .applies = "any",
    .type = "model/layers/layer-properties/wrong-filter-size-for-a-convolutional-layer",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::groups>,
};

} // namespace faultline::rules
