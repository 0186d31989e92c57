#include "inject/layers.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  const Code code(subject);
  for (const Activation& activation : activations_of(code)) {
    if (activation.is_last) {
      continue;
    }
    if (std::optional<std::vector<Edit>> edits = replaced(code, activation, setting)) {
      found.push_back(mutation(std::move(*edits), activation.node.text(), setting));
    }
  }
}

extern const Operator change_activation;
const Operator change_activation{
    .name = "change-activation",
    .acronym = "ACH",
    .summary = "Uses a different activation function",
    .type = "model/layers/activation-function/wrong-type-of-activation-function",
    .level = Level::dl,
    .setting = activation_setting({"exponential", "linear"}),
    .find = find,
};

} // namespace faultline::inject
