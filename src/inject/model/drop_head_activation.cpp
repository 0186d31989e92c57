#include "inject/layers.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Activation& activation : activations_of(code)) {
    const bool is_head = activation.kind == "softmax" || activation.kind == "log_softmax" ||
                         activation.kind == "sigmoid";
    if (activation.layer || !activation.is_last || !is_head) {
      continue;
    }
    if (std::optional<std::vector<Edit>> edits = without(code, activation)) {
      found.push_back(mutation(std::move(*edits), activation.node.text(), ""));
    }
  }
}

extern const Operator drop_head_activation;
const Operator drop_head_activation{
    .name = "remove-head-activation",
    .acronym = "",
    .summary = "Removes the softmax or sigmoid of the output",
    .type = "model/layers/activation-function/missing-softmax-activation-function",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
