#include "inject/layers.hpp"
#include "inject/rewrites.hpp"

namespace faultline::inject {

// x.view(…, -1) and x.reshape(…, -1) with two sizes.
static bool is_flattening_view(const Call& call)
{
  return (call.last() == "view" || call.last() == "reshape") && call.callee.kind() == "attribute" &&
         call.arguments.size() == 2 && call.arguments[1].value.text() == "-1";
}

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Layer& layer : layers_of(code)) {
    if (layer.type != "Flatten") {
      continue;
    }
    if (std::optional<std::vector<Edit>> edits = without(code, layer)) {
      found.push_back(mutation(std::move(*edits), layer.call.node.text(), ""));
    }
  }
  if (!code.uses("torch")) {
    return;
  }
  for (const Call& call : code.calls()) {
    if (call.name == "torch.flatten" && !call.arguments.empty()) {
      const std::string rest = bracketed(call.arguments.front().value);
      rewrite(call.node, rest, call.node, found);
    } else if (call.name == ".flatten" ||
               (call.name.starts_with(".") && is_flattening_view(call))) {
      const Node object = *call.callee.child("object");
      found.push_back(mutation(
          {{object.end_byte(), call.node.end_byte(), ""}}, call.node.text(), object.text()));
    }
  }
}

extern const Operator drop_flatten;
const Operator drop_flatten{
    .name = "remove-flatten",
    .acronym = "",
    .summary = "No longer flattens the input of a dense layer",
    .type = "model/layers/missing-redundant-wrong-layer/missing-flatten-layer",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
