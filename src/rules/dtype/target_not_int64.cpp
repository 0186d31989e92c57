#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule target_not_int64{
    .name = "target-not-int64",
    .summary = "Finds class indices of a type that cross entropy does not take",
    .applies = "torch",
    .type = "tensors-and-inputs/wrong-input/wrong-type-of-input-data/"
            "wrong-type-of-input-data-for-a-method",
    .fix_pattern = "data-type",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::target_not_int64>,
};

} // namespace faultline::rules
