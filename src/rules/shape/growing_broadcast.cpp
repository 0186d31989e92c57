#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

// Differences and comparisons that are then averaged or summed: a loss or a metric by hand.
static bool is_compared_and_reduced(const Program& program, const Call& call)
{
  const bool compares =
      call.is("sub") || call.is("equal") || call.is("not_equal") || call.op().starts_with("loss.");
  const Tensor* tensor = program::as<Tensor>(call.result);
  for (int depth = 0; compares && tensor != nullptr && depth < 8; ++depth) {
    const Tensor* next = nullptr;
    for (const Call* consumer : program.consumers(tensor)) {
      if (consumer->has(program::k_reduction)) {
        return true;
      }
      next = consumer->has(program::k_elementwise) || consumer->is("pow") || consumer->is("mul") ||
                     consumer->is("cast")
                 ? program::as<Tensor>(consumer->result)
                 : next;
    }
    tensor = next;
  }
  return call.op().starts_with("loss.");
}

static void check(const Program& program, Reporter& report)
{
  for (const program::Problem& problem : program.problems()) {
    if (problem.kind != program::ProblemKind::both_grow || problem.call == nullptr ||
        !is_compared_and_reduced(program, *problem.call)) {
      continue;
    }
    report.add(problem.span, problem.message)
        .help("bring both to one shape first: `squeeze(1)` or `unsqueeze(1)`")
        .cause(problem.call);
  }
}

extern const Rule growing_broadcast{
    .name = "growing-broadcast",
    .summary = "Finds losses and metrics where both operands are silently broadcast",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape",
    .fix_pattern = "data-dimension",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
