#include "inject/layers.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Layer& layer : layers_of(code)) {
    const bool is_pool = layer.type.find("Pool") != std::string::npos &&
                         !layer.type.starts_with("Adaptive") && !layer.type.starts_with("Global");
    if (!is_pool) {
      continue;
    }
    const std::string again =
        layer.place == Layer::Place::named ? layer.variable : std::string(layer.call.node.text());
    if (std::optional<std::vector<Edit>> edits = followed_by(code, layer, again)) {
      found.push_back(mutation(std::move(*edits), layer.call.node.text(), again));
    }
  }
}

extern const Operator pooling_amount;
const Operator pooling_amount{
    .name = "double-pooling",
    .acronym = "",
    .summary = "Pools twice",
    .type = "model/layers/layer-properties/wrong-amount-and-type-of-pooling-in-convolutional-layer",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
