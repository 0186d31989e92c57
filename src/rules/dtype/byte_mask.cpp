#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::mask_dtype);
}

extern const Rule byte_mask{
    .name = "byte-mask",
    .summary = "Finds masks that are neither boolean nor meant to be",
    .applies = "torch",
    .leaf = "I15",
    .fix = "DT",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
