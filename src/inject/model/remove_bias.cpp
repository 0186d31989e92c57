#include "inject/layers.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Layer& layer : layers_of(code)) {
    if (!layer.has_weights() || layer.type == "Embedding") {
      continue;
    }
    const std::string keyword = layer.framework == Framework::torch ? "bias" : "use_bias";
    const Argument* given = layer.call.find(keyword, layer.type == "Linear" ? 2 : k_keyword_only);
    if (given == nullptr && !layer.call.has_stars) {
      const std::string added = keyword + "=False";
      found.push_back(mutation({add_argument(layer.call, added)}, layer.call.node.text(), added));
    } else if (given != nullptr && given->value.text() == "True") {
      found.push_back(
          mutation({replace(given->value, "False")}, layer.call.node.text(), keyword + "=False"));
    }
  }
}

extern const Operator remove_bias;
const Operator remove_bias{
    .name = "remove-bias",
    .acronym = "WRB",
    .summary = "Removes the bias of a layer",
    .type = "model/layers/layer-properties/bias-needed-in-a-layer",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
