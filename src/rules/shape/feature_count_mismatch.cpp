#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule feature_count_mismatch{
    .name = "feature-count-mismatch",
    .summary = "Finds an input whose channels or features differ from what the layer was made for",
    .applies = "any",
    .type = "model/layers/layer-properties/layers-dimensions-mismatch",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::features>,
};

} // namespace faultline::rules
