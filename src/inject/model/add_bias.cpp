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
    if (given != nullptr && given->value.text() == "False") {
      found.push_back(
          mutation({remove_item(given->whole)}, layer.call.node.text(), keyword + "=True"));
    }
  }
}

extern const Operator add_bias;
const Operator add_bias{
    .name = "add-bias",
    .acronym = "WAB",
    .summary = "Adds a bias to a layer without one",
    .type = "model/layers/layer-properties",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
