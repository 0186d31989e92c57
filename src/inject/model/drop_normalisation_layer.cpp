#include "inject/layers.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Layer& layer : layers_of(code)) {
    if (!(layer.type.starts_with("BatchNorm") || layer.is({"LayerNorm",
                                                           "LayerNormalization",
                                                           "GroupNorm",
                                                           "InstanceNorm1d",
                                                           "InstanceNorm2d"}))) {
      continue;
    }
    if (std::optional<std::vector<Edit>> edits = without(code, layer)) {
      found.push_back(mutation(std::move(*edits), layer.call.node.text(), ""));
    }
  }
}

extern const Operator drop_normalisation_layer;
const Operator drop_normalisation_layer{
    .name = "remove-normalisation-layer",
    .acronym = "",
    .summary = "Removes a normalisation layer",
    .type = "model/layers/missing-redundant-wrong-layer/missing-normalisation-layer",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
