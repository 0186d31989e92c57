#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

namespace {

constexpr int k_farthest = 8; // operations from the wrapped value to where it becomes a float

// A cast, a division or a layer makes floats of what wrapped around.
bool feeds_floats(const Program& program, const Tensor* tensor, int depth)
{
  if (tensor == nullptr || depth > k_farthest) {
    return false;
  }
  return std::ranges::any_of(program.consumers(tensor), [&](const Call* use) {
    const Tensor* const result = numeric::result_of(*use);
    if (use->is("fit") || use->has(program::k_learning) ||
        (result != nullptr && result->dtype.is_floating())) {
      return true;
    }
    return result != nullptr && result != tensor && feeds_floats(program, result, depth + 1);
  });
}

void check(const Program& program, Reporter& report)
{
  for (const program::Problem& problem : program.problems()) {
    if (problem.kind != program::ProblemKind::integer_overflow || problem.call == nullptr ||
        !feeds_floats(program, numeric::result_of(*problem.call), 0)) {
      continue;
    }
    report.add(problem.span, problem.message)
        .label("wraps around before it becomes a float")
        .help("convert to a floating type first: `x.astype('float32')`")
        .cause(problem.call);
  }
}

} // namespace

extern const Rule integer_wrap_into_float{
    .name = "integer-wrap-into-float",
    .summary = "Finds integer arithmetic that wraps around before its result becomes a float",
    .applies = "any",
    .type = "training/preprocessing-of-training-data/wrong-preprocessing/wrong-preprocessing-step",
    .fix_pattern = "data-type",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
