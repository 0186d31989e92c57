#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::empty_result);
}

extern const Rule empty_feature_map{
    .name = "empty-feature-map",
    .summary = "Finds convolutions and pools that are larger than their input",
    .applies = "any",
    .type = "model/layers/layer-properties/wrong-filter-size-for-a-convolutional-layer",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
