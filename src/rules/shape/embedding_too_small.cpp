#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule embedding_too_small{
    .name = "embedding-too-small",
    .summary = "Finds embedding tables that are smaller than the largest index",
    .applies = "any",
    .type = "model/layers/layer-properties/wrong-defined-input-shape",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::embedding_range>,
};

} // namespace faultline::rules
