#include "inject/layers.hpp"
#include "inject/rewrites.hpp"

#include <algorithm>

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  const std::vector<Layer> layers = layers_of(code);
  for (const Layer& layer : layers) {
    const Argument* width = layer.type == "Linear" ? layer.input_width() : nullptr;
    const bool is_first = std::ranges::none_of(layers, [&](const Layer& other) {
      return other.owner == layer.owner && other.has_weights() &&
             other.call.node.begin_byte() < layer.call.node.begin_byte();
    });
    if (width != nullptr && !is_first) {
      const std::optional<double> size = number_of(width->value);
      const std::string more = size ? python_number(*size + 1) : bracketed(width->value) + " + 1";
      rewrite(width->value, more, layer.call.node, found);
    }
  }
}

extern const Operator input_features;
const Operator input_features{
    .name = "wrong-in-features",
    .acronym = "",
    .summary = "Makes a linear layer expect the wrong number of features",
    .type = "model/layers/layer-properties/wrong-input-sample-size-for-linear-layer",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
