#include "inject/layers.hpp"
#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  const std::vector<Layer> layers = layers_of(code);
  for (const Layer& layer : layers) {
    const Argument* width =
        layer.framework == Framework::torch && layer.has_weights() && !is_output(layer, layers)
            ? layer.width()
            : nullptr;
    if (width != nullptr) {
      const std::string wide = scaled_count(width->value, 2);
      rewrite(width->value, wide, layer.call.node, found);
    }
  }
}

extern const Operator dimension_mismatch;
const Operator dimension_mismatch{
    .name = "mismatch-layers",
    .acronym = "",
    .summary = "Makes two layers disagree about the width between them",
    .type = "model/layers/layer-properties/layers-dimensions-mismatch",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
