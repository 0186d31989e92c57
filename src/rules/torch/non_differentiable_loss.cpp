#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/torch/cuts.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const CutLoss& loss : cut_losses(program)) {
    if (takes_values_out(*loss.cut)) {
      continue;
    }
    const std::string name = written(program, *loss.cut);
    report
        .add(loss.cut->span,
             format("`{}` has no gradient, so the loss cannot train the weights behind it", name))
        .note(loss.backward->span, "no gradient comes from here to the weights")
        .help("compute the loss from scores or probabilities, and decisions only for the report")
        .cause(loss.cut);
  }
}

extern const Rule non_differentiable_loss{
    .name = "non-differentiable-loss",
    .summary = "Finds losses of decisions: argmax, rounding, comparison, conversion to integers",
    .applies = "torch",
    .type = "training/training-process/wrong-calculation-of-the-gradients-for-backpropagation",
    .fix_pattern = "loss-function",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
