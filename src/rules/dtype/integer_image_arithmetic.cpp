#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::integer_overflow);
}

extern const Rule integer_image_arithmetic{
    .name = "integer-image-arithmetic",
    .summary = "Finds arithmetic that wraps around in 8-bit images",
    .applies = "any",
    .type = "training/preprocessing-of-training-data/wrong-preprocessing/wrong-preprocessing-step",
    .fix_pattern = "data-type",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
