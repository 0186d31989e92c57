#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::groups);
}

extern const Rule indivisible_channels{
    .name = "indivisible-channels",
    .summary = "Finds groups and shuffles that do not divide the channels",
    .applies = "any",
    .type = "model/layers/layer-properties/wrong-filter-size-for-a-convolutional-layer",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
