#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::index_not_integer);
}

extern const Rule index_not_integer{
    .name = "index-not-integer",
    .summary = "Finds embeddings, gathers and one-hot encodings of floats",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-input/wrong-type-of-input-data/"
            "wrong-type-of-input-data-for-a-method",
    .fix_pattern = "data-type",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
