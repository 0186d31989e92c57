#include "inject/layers.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Layer& layer : layers_of(code)) {
    const std::optional<BiasSwitch> bias = bias_switch_of(layer);
    if (bias && bias->given != nullptr && bias->given->value.text() == "False") {
      found.push_back(mutation(
          {remove_item(bias->given->whole)}, layer.call.node.text(), bias->keyword + "=True"));
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
