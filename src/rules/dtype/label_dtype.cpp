#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::label_dtype);
}

extern const Rule label_dtype{
    .name = "label-dtype",
    .summary = "Finds labels that are text, or lists of unequal length",
    .applies = "keras",
    .type = "tensors-and-inputs/wrong-input/wrong-type-of-input-data/"
            "wrong-type-of-input-data-for-a-method",
    .fix_pattern = "data-type",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
