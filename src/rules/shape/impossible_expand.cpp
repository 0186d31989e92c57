#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::expand);
}

extern const Rule impossible_expand{
    .name = "impossible-expand",
    .summary = "Finds expand, tile and repeat that do not fit their source",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-tensor-shape/tensor-shape-mismatch",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
