#include "program/values/walk.hpp"
#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

namespace {

// A cast, a division or a layer makes floats of what wrapped around.
bool feeds_floats(const Program& program, const Tensor* tensor)
{
  constexpr program::WalkLimits k_near = {.depth = 9}; // operations until it becomes a float
  return program::walk(
      tensor,
      false,
      [&program](const Tensor* one, auto& into) {
        return std::ranges::any_of(program.consumers(one), [&](const Call* use) {
          const Tensor* const result = numeric::result_of(*use);
          return use->is("fit") || use->has(program::k_learning) ||
                 (result != nullptr && result->dtype.is_floating()) || into(result);
        });
      },
      program::Again::reuse,
      k_near);
}

void check(const Program& program, Reporter& report)
{
  for (const program::Problem& problem : program.problems()) {
    if (problem.kind != program::ProblemKind::integer_overflow || problem.call == nullptr ||
        !feeds_floats(program, numeric::result_of(*problem.call))) {
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
