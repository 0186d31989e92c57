#include "inject/layers.hpp"

#include <algorithm>

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  const std::vector<Layer> layers = layers_of(code);
  for (size_t i = 0; i < layers.size(); ++i) {
    const Layer& layer = layers[i];
    if (!layer.is({"Linear", "Dense"}) || is_output(layer, layers)) {
      continue;
    }
    std::optional<std::vector<Edit>> edits = without(code, layer);
    if (edits && layer.framework == Framework::torch) {
      const auto next = std::ranges::find_if(layers.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                             layers.end(),
                                             [&](const Layer& other) {
                                               return other.owner == layer.owner &&
                                                      other.input_width() != nullptr;
                                             });
      const bool fits = next != layers.end() && next->type == "Linear" &&
                        next->place == layer.place && layer.input_width() != nullptr;
      if (!fits) {
        continue;
      }
      edits->push_back(
          replace(next->input_width()->value, std::string(layer.input_width()->value.text())));
    }
    if (edits) {
      found.push_back(mutation(std::move(*edits), layer.call.node.text(), ""));
    }
  }
}

extern const Operator drop_dense;
const Operator drop_dense{
    .name = "remove-dense-layer",
    .acronym = "",
    .summary = "Removes a hidden dense layer",
    .type = "model/layers/missing-redundant-wrong-layer/missing-dense-layer",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
