#include "inject/layers.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Layer& layer : layers_of(code)) {
    if (!(layer.type.find("AvgPool") != std::string::npos ||
          layer.type.find("AveragePooling") != std::string::npos)) {
      continue;
    }
    if (std::optional<std::vector<Edit>> edits = without(code, layer)) {
      found.push_back(mutation(std::move(*edits), layer.call.node.text(), ""));
    }
  }
}

extern const Operator drop_average_pooling;
const Operator drop_average_pooling{
    .name = "remove-average-pooling",
    .acronym = "",
    .summary = "No longer averages over the image",
    .type = "model/layers/missing-redundant-wrong-layer/missing-average-pooling-layer",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
