#include "base/format.hpp"
#include "inject/layers.hpp"
#include "inject/rewrites.hpp"

#include <algorithm>

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    const bool is_input =
        call.is_any({"keras.Input", "keras.layers.Input", "keras.layers.InputLayer"});
    if (!is_input && !call.name.starts_with("keras.layers.")) {
      continue;
    }
    const Argument* shape = is_input ? call.find("shape", 0) : nullptr;
    shape = shape == nullptr ? call.find("input_shape") : shape;
    if (shape == nullptr || shape->value.kind() != "tuple") {
      continue;
    }
    const std::vector<Node> sizes = shape->value.named_children();
    std::string other;
    for (const Node& size : sizes) {
      other = format("{}{}{}", size.text(), other.empty() ? "" : ", ", other);
    }
    other = sizes.size() == 1 ? format("({} + 1,)", sizes.front().text()) : format("({})", other);
    if (!sizes.empty() && other != shape->value.text()) {
      rewrite(shape->value, other, shape->whole, found);
    }
  }
  const std::vector<Layer> layers = layers_of(code);
  for (const Layer& layer : layers) {
    const Argument* width =
        layer.has_weights() && layer.type != "Embedding" ? layer.input_width() : nullptr;
    const bool is_first = std::ranges::none_of(layers, [&](const Layer& other) {
      return other.owner == layer.owner && other.has_weights() &&
             other.call.node.begin_byte() < layer.call.node.begin_byte();
    });
    if (width != nullptr && is_first) {
      const std::optional<double> size = number_of(width->value);
      const std::string more = size ? python_number(*size + 1) : bracketed(width->value) + " + 1";
      rewrite(width->value, more, layer.call.node, found);
    }
  }
}

extern const Operator input_shape;
const Operator input_shape{
    .name = "wrong-input-shape",
    .acronym = "",
    .summary = "Declares a different input shape",
    .type = "model/layers/layer-properties/wrong-defined-input-shape",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
