#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::double_meets_float);
}

extern const Rule double_meets_float{
    .name = "double-meets-float",
    .summary = "Finds float64 data given to float32 weights",
    .applies = "torch",
    .type = "tensors-and-inputs/wrong-input/wrong-type-of-input-data/"
            "wrong-type-of-input-data-for-a-layer",
    .fix_pattern = "data-type",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
