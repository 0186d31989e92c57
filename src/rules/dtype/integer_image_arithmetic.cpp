#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule integer_image_arithmetic{
    .name = "integer-image-arithmetic",
    .summary = "Finds arithmetic that wraps around in 8-bit images",
    .applies = "any",
    .type = "training/preprocessing-of-training-data/wrong-preprocessing/wrong-preprocessing-step",
    .fix_pattern = "data-type",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::integer_overflow>,
};

} // namespace faultline::rules
