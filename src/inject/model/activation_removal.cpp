#include "inject/layers.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Activation& activation : activations_of(code)) {
    if (activation.is_last || activation.kind == "softmax" || activation.kind == "log_softmax") {
      continue;
    }
    if (std::optional<std::vector<Edit>> edits = without(code, activation)) {
      found.push_back(mutation(std::move(*edits), activation.node.text(), ""));
    }
  }
}

extern const Operator activation_removal;
const Operator activation_removal{
    .name = "remove-hidden-activation",
    .acronym = "AFRs",
    .summary = "Removes the activation of a hidden layer",
    .type = "model/layers/activation-function",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
