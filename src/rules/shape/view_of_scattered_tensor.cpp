#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::not_contiguous);
}

extern const Rule view_of_scattered_tensor{
    .name = "view-of-scattered-tensor",
    .summary = "Finds view on a tensor whose elements are not in order",
    .applies = "torch",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
