#include "inject/layers.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  const std::optional<double> factor = number_of(setting);
  if (!factor) {
    return;
  }
  const Code code(subject);
  const std::vector<Layer> layers = layers_of(code);
  for (const Layer& layer : layers) {
    const Argument* width =
        layer.is({"Linear", "Dense"}) && !is_output(layer, layers) ? layer.width() : nullptr;
    if (width == nullptr) {
      continue;
    }
    // A sum in the same class may be a skip connection, whose other side would not follow.
    if (layer.place == Layer::Place::named &&
        layer.owner.text().find(" + ") != std::string_view::npos) {
      continue;
    }
    const std::string other = scaled_count(width->value, *factor);
    std::vector<Edit> edits = {replace(width->value, other)};
    bool is_complete = layer.framework == Framework::keras;
    for (const Layer& next : layers) {
      const Argument* in = next.input_width();
      if (is_complete || !(next.owner == layer.owner) ||
          next.call.node.begin_byte() <= layer.call.node.begin_byte() || in == nullptr) {
        continue;
      }
      if (in->value.text() != width->value.text()) {
        break;
      }
      edits.push_back(replace(in->value, other));
      is_complete = next.has_weights();
    }
    if (is_complete && other != width->value.text()) {
      found.push_back(mutation(std::move(edits), layer.call.node.text(), other));
    }
  }
}

extern const Operator neurons;
const Operator neurons{
    .name = "change-neurons",
    .acronym = "",
    .summary = "Changes the number of units of a hidden layer",
    .type = "model/layers/layer-properties/suboptimal-number-of-neurons-in-the-layer",
    .level = Level::dl,
    .setting = {.name = "factor",
                .values = {"0.5", "10", "0.1", "0"},
                .search = Search::exhaustive,
                .range = k_zero_or_more},
    .find = find,
};

} // namespace faultline::inject
