#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::dtype_mix);
}

extern const Rule mixed_dtypes{
    .name = "mixed-dtypes",
    .summary = "Finds TensorFlow operations on tensors of different types",
    .applies = "tf1 tf2",
    .type = "tensors-and-inputs/wrong-input/wrong-input-format/incompatible-tensor-type",
    .fix_pattern = "data-type",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
