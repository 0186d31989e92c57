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
    .type = "tensors-and-inputs/wrong-input/wrong-input-format/incompatible-tensor-type",
    .fix_pattern = "data-type",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
