#include "inject/layers.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Activation& activation : activations_of(code)) {
    if (!activation.layer || (activation.kind != "softmax" && activation.kind != "log_softmax")) {
      continue;
    }
    if (std::optional<std::vector<Edit>> edits = without(code, activation)) {
      found.push_back(mutation(std::move(*edits), activation.node.text(), ""));
    }
  }
}

extern const Operator drop_softmax_layer;
const Operator drop_softmax_layer{
    .name = "remove-softmax-layer",
    .acronym = "",
    .summary = "Removes a softmax layer",
    .type = "model/layers/missing-redundant-wrong-layer/missing-softmax-layer",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
