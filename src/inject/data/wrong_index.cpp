#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Node& subscript : nodes_of(code.root(), "subscript")) {
    const std::optional<Node> function = enclosing(subscript, {"function_definition"});
    const std::string_view name = function ? function->child("name")->text() : std::string_view();
    if (name != "forward" && name != "call") {
      continue;
    }
    for (const Node& index : subscript.named_children()) {
      if (index == *subscript.child("value") || (index.text() != "-1" && index.text() != "0")) {
        continue;
      }
      // `shape[0]` and `size()[0]` are no tensors.
      const std::string_view object = subscript.child("value")->text();
      if (object.find("shape") == std::string_view::npos &&
          object.find("size") == std::string_view::npos) {
        const std::string other = index.text() == "0" ? "-1" : "0";
        rewrite(index, other, subscript, found);
      }
    }
  }
}

extern const Operator wrong_index;
const Operator wrong_index{
    .name = "wrong-index",
    .acronym = "",
    .summary = "Takes the wrong element along an axis",
    .type = "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
