#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::embedding_range);
}

extern const Rule embedding_too_small{
    .name = "embedding-too-small",
    .summary = "Finds embedding tables that are smaller than the largest index",
    .applies = "any",
    .type = "model/layers/layer-properties/wrong-defined-input-shape",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
