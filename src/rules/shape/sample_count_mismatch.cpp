#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::sample_count);
}

extern const Rule sample_count_mismatch{
    .name = "sample-count-mismatch",
    .summary = "Finds inputs and labels with different numbers of samples",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-input/wrong-shape-of-input-data/wrong-shape-of-input-data",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
