#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::features);
}

extern const Rule feature_count_mismatch{
    .name = "feature-count-mismatch",
    .summary = "Finds an input whose channels or features differ from what the layer was made for",
    .applies = "any",
    .type = "model/layers/layer-properties/layers-dimensions-mismatch",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
