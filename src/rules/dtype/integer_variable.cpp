#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule integer_variable{
    .name = "integer-variable",
    .summary = "Finds trained variables that are made from integers",
    .applies = "tf1 tf2",
    .type = "tensors-and-inputs/wrong-input/wrong-type-of-input-data/"
            "wrong-type-of-input-data-for-a-layer",
    .fix_pattern = "data-type",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::integer_variable>,
};

} // namespace faultline::rules
