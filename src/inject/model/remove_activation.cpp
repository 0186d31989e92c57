#include "inject/layers.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Activation& activation : activations_of(code)) {
    if (std::optional<std::vector<Edit>> edits = without(code, activation)) {
      found.push_back(mutation(std::move(*edits), activation.node.text(), ""));
    }
  }
}

extern const Operator remove_activation;
const Operator remove_activation{
    .name = "remove-activation",
    .acronym = "ARM",
    .summary = "Removes any activation",
    .type = "model/layers/activation-function",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
