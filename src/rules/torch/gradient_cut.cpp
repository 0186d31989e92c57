#include "rules/facts.hpp"
#include "rules/regions.hpp"
#include "rules/reporter.hpp"
#include "rules/torch/cuts.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const CutLoss& loss : cut_losses(program)) {
    if (!takes_values_out(*loss.cut)) {
      continue;
    }
    const bool is_off = gradient_off(*loss.cut);
    const std::string name = written(program, *loss.cut);
    report
        .add(loss.cut->span,
             is_off ? "this is computed without gradients, but the loss that depends on it is "
                      "differentiated"
                    : format("`{}` cuts the gradient between the loss and the weights", name))
        .note(loss.backward->span, "no gradient comes from here to the weights")
        .help(is_off ? "compute what is trained outside of `no_grad`"
                     : "compute the loss from the tensor itself")
        .cause(loss.cut);
  }
}

extern const Rule gradient_cut{
    .name = "gradient-cut",
    .summary = "Finds losses that were cut off from the weights by detach, item, numpy or no_grad",
    .applies = "torch",
    .type = "training/training-process/wrongly-implemented-back-propagation",
    .fix_pattern = "neural-connection",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 5,
    .check = check,
};

} // namespace faultline::rules
