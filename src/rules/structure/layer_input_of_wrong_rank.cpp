#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/layers.hpp"

namespace faultline::rules {

static bool is_layer(const Call& call)
{
  return is_learning(call) || is_pooling(call) || call.has(program::k_normalising);
}

// What the interpreter found wrong anywhere is SH001; here the layers on both sides are named.
static void check(const Program& program, Reporter& report)
{
  for (const program::Problem& problem : program.problems()) {
    if (problem.kind != program::ProblemKind::rank || problem.call == nullptr ||
        !is_layer(*problem.call)) {
      continue;
    }
    Draft& draft = report.add(problem.span, problem.message).cause(problem.call);
    const Tensor* input = data_input(*problem.call);
    const Call* before = call_before(*problem.call);
    if (before != nullptr && before->inputs().empty()) {
      draft.note(before->span, format("the input is declared as {} here", input->shape.text()));
    } else if (before != nullptr) {
      draft.note(before->span,
                 format("`{}` gives {}", written(program, *before), input->shape.text()));
    }
    for (const program::Problem::Remark& remark : problem.notes) {
      draft.note(remark.span, remark.text);
    }
    draft.help(!problem.help.empty() ? problem.help
                                     : "reshape the input, or use the layer for its rank");
  }
}

extern const Rule layer_input_of_wrong_rank{
    .name = "layer-input-of-wrong-rank",
    .summary = "Finds a layer that is applied to a tensor with too many or too few axes",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-input/wrong-shape-of-input-data/"
            "wrong-shape-of-input-data-for-a-layer",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 10,
    .check = check,
};

} // namespace faultline::rules
