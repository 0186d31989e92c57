#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::object_dtype);
}

extern const Rule objects_into_numeric{
    .name = "objects-into-numeric",
    .summary = "Finds arrays of objects or text that reach numeric code",
    .applies = "any",
    .leaf = "I10",
    .fix = "DT",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
