#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule view_of_scattered_tensor{
    .name = "view-of-scattered-tensor",
    .summary = "Finds view on a tensor whose elements are not in order",
    .applies = "torch",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::not_contiguous>,
};

} // namespace faultline::rules
