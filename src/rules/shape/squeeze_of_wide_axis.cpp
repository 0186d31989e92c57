#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::squeeze);
}

extern const Rule squeeze_of_wide_axis{
    .name = "squeeze-of-wide-axis",
    .summary = "Finds squeezes of an axis whose size is not 1",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape",
    .fix_pattern = "data-dimension",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
