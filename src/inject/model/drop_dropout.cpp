#include "inject/layers.hpp"
#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Layer& layer : layers_of(code)) {
    if (layer.type.find("Dropout") == std::string::npos) {
      continue;
    }
    if (std::optional<std::vector<Edit>> edits = without(code, layer)) {
      found.push_back(mutation(std::move(*edits), layer.call.node.text(), ""));
    }
  }
  for (const Call& call : code.calls()) {
    if (call.name == "torch.nn.functional.dropout" && !call.arguments.empty()) {
      const std::string rest = bracketed(call.arguments.front().value);
      rewrite(call.node, rest, call.node, found);
    }
  }
}

extern const Operator drop_dropout;
const Operator drop_dropout{
    .name = "remove-dropout",
    .acronym = "",
    .summary = "Removes a dropout layer",
    .type = "model/layers/missing-redundant-wrong-layer/missing-dropout-layer",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
