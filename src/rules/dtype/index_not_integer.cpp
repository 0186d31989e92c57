#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule index_not_integer{
    .name = "index-not-integer",
    .summary = "Finds embeddings, gathers and one-hot encodings of floats",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-input/wrong-type-of-input-data/"
            "wrong-type-of-input-data-for-a-method",
    .fix_pattern = "data-type",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::index_not_integer>,
};

} // namespace faultline::rules
