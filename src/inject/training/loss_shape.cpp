#include "inject/rewrites.hpp"
#include "inject/training.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Loss& loss : training_losses_of(code)) {
    if (loss.kind == "MSELoss" || loss.kind == "L1Loss" || loss.kind == "SmoothL1Loss" ||
        loss.kind == "HuberLoss") {
      const std::string wrong = bracketed(loss.target) + ".unsqueeze(-1)";
      rewrite(loss.target, wrong, loss.call.node, found);
    }
  }
}

extern const Operator loss_shape;
const Operator loss_shape{
    .name = "broadcast-loss",
    .acronym = "",
    .summary = "Gives the loss targets of a different shape",
    .type = "tensors-and-inputs/wrong-input/wrong-shape-of-input-data/"
            "wrong-shape-of-input-data-for-a-method",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
