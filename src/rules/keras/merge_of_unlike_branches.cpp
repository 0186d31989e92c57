#include "rules/facts.hpp"
#include "rules/keras_facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const program::Problem& problem : program.problems()) {
    const bool clash = problem.kind == program::ProblemKind::broadcast ||
                       problem.kind == program::ProblemKind::concat ||
                       problem.kind == program::ProblemKind::skip_size;
    if (!clash || problem.call == nullptr || !problem.call->has(program::k_merging) ||
        !problem.call->name.starts_with("keras.")) {
      continue;
    }
    Draft& draft = report.add(problem.span, problem.message)
                       .help("bring the branches to one shape first, for instance by a 1x1 "
                             "convolution, padding or cropping")
                       .cause(problem.call);
    for (const Tensor* input : problem.call->inputs()) {
      if (input->producer != nullptr && input->shape.has_rank()) {
        draft.note(input->producer->span, format("this branch is {}", input->shape.text()));
      }
    }
  }
}

extern const Rule merge_of_unlike_branches{
    .name = "merge-of-unlike-branches",
    .summary = "Finds merge layers whose branches have different shapes",
    .applies = "keras",
    .type = "model/layers/layer-properties/layers-dimensions-mismatch",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 10,
    .check = check,
};

} // namespace faultline::rules
