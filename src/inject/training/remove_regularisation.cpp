#include "inject/layers.hpp"
#include "inject/training.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  const auto drop = [&found](const Argument* given) {
    if (given != nullptr && number_of(given->value) != 0.0) {
      found.push_back(mutation({remove_item(given->whole)}, given->whole.text(), ""));
    }
  };
  for (const Layer& layer : layers_of(code)) {
    if (layer.framework == Framework::keras) {
      drop(layer.call.find("kernel_regularizer"));
    }
  }
  for (const Call& call : code.calls()) {
    // AdamW decays weights unless it is told not to.
    if (makes_torch_optimizer(call) && call.last() != "AdamW") {
      drop(call.find("weight_decay"));
    }
  }
}

extern const Operator remove_regularisation;
const Operator remove_regularisation{
    .name = "remove-weight-regularisation",
    .acronym = "RRW",
    .summary = "No longer penalises large weights",
    .type = "training/hyperparameters/missing-regularisation-loss-and-weight",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
