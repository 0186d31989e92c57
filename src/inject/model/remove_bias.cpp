#include "inject/layers.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Layer& layer : layers_of(code)) {
    const std::optional<BiasSwitch> bias = bias_switch_of(layer);
    if (!bias) {
      continue;
    }
    const Argument* given = bias->given;
    const std::string without_bias = bias->keyword + "=False";
    if (given == nullptr && !layer.call.has_stars) {
      found.push_back(
          mutation({add_argument(layer.call, without_bias)}, layer.call.node.text(), without_bias));
    } else if (given != nullptr && given->value.text() == "True") {
      found.push_back(
          mutation({replace(given->value, "False")}, layer.call.node.text(), without_bias));
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
