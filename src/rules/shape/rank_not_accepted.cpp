#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule rank_not_accepted{
    .name = "rank-not-accepted",
    .summary = "Finds a tensor whose number of axes a layer or function does not accept",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-input/wrong-shape-of-input-data/"
            "wrong-shape-of-input-data-for-a-layer",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::rank>,
};

} // namespace faultline::rules
