#include "rules/facts.hpp"

namespace faultline::rules {

extern const Rule sample_count_mismatch{
    .name = "sample-count-mismatch",
    .summary = "Finds inputs and labels with different numbers of samples",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-input/wrong-shape-of-input-data/wrong-shape-of-input-data",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_problems<program::ProblemKind::sample_count>,
};

} // namespace faultline::rules
