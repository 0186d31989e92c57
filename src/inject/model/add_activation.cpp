#include "base/format.hpp"
#include "inject/layers.hpp"

#include <algorithm>

namespace faultline::inject {

// Whether the next layer in the same list is an activation.
static bool is_activated(const Layer& layer, const std::vector<Activation>& activations)
{
  return std::ranges::any_of(activations, [&](const Activation& activation) {
    if (activation.of && activation.of->call.node == layer.call.node) {
      return true;
    }
    if (layer.place == Layer::Place::named) {
      return std::ranges::any_of(layer.uses, [&](const Call& use) {
        // F.relu(self.fc(x)), self.relu(self.fc(x)), self.fc(x).relu()
        const std::optional<Node> statement = statement_of(use.node);
        return statement && ((activation.function && contains(*statement, activation.node)) ||
                             (activation.layer &&
                              std::ranges::any_of(activation.layer->uses, [&](const Call& other) {
                                return contains(*statement, other.node);
                              })));
      });
    }
    return activation.layer && activation.layer->owner == layer.owner &&
           activation.node.begin_byte() > layer.call.node.end_byte() &&
           activation.node.begin_byte() < layer.call.node.end_byte() + 120;
  });
}

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  const Code code(subject);
  const std::vector<Activation> activations = activations_of(code);
  for (const Layer& layer : layers_of(code)) {
    if (!layer.is({"Linear", "Dense", "Conv1d", "Conv2d", "Conv1D", "Conv2D"}) ||
        is_activated(layer, activations)) {
      continue;
    }
    if (layer.framework == Framework::keras) {
      if (layer.call.find("activation", 1) == nullptr && !layer.call.has_stars) {
        const std::string added = format("activation=\"{}\"", setting);
        found.push_back(mutation({add_argument(layer.call, added)}, layer.call.node.text(), added));
      }
      continue;
    }
    const std::string name = layer_name(Framework::torch, setting);
    if (name.empty()) {
      continue;
    }
    const std::string other = code.spelled(name) + (setting == "softmax" ? "(dim=-1)" : "()");
    if (std::optional<std::vector<Edit>> edits = followed_by(code, layer, other)) {
      found.push_back(mutation(std::move(*edits), layer.call.node.text(), other));
    }
  }
}

extern const Operator add_activation;
const Operator add_activation{
    .name = "add-activation",
    .acronym = "AAL",
    .summary = "Adds an activation to a layer that has none",
    .type = "model/layers/activation-function",
    .level = Level::dl,
    .setting = activation_setting(),
    .find = find,
};

} // namespace faultline::inject
