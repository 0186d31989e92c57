#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  const auto is_in_forward = [](const Node& node) {
    const std::optional<Node> function = enclosing(node, {"function_definition"});
    return function && (function->child("name")->text() == "forward" ||
                        function->child("name")->text() == "call");
  };
  for (const Node& sum : nodes_of(code.root(), "binary_operator")) {
    if (sum.child("operator")->kind() != "+" || !is_in_forward(sum)) {
      continue;
    }
    const Node left = *sum.child("left");
    const Node right = *sum.child("right");
    const auto is_layer = [](const Node& node) {
      return node.kind() == "call" && node.text().starts_with("self.");
    };
    if (left.kind() == "identifier" && is_layer(right)) {
      rewrite(sum, std::string(right.text()), sum, found);
    } else if (right.kind() == "identifier" && is_layer(left)) {
      rewrite(sum, std::string(left.text()), sum, found);
    }
  }
  for (const Node& added : nodes_of(code.root(), "augmented_assignment")) {
    const std::string_view what = added.child("right")->text();
    const bool is_skip =
        what == "identity" || what == "residual" || what == "shortcut" || what == "skip";
    if (is_skip && added.child("operator")->kind() == "+=" && is_in_forward(added)) {
      found.push_back(mutation({remove_statement(code, *statement_of(added))}, added.text(), ""));
    }
  }
}

extern const Operator drop_skip;
const Operator drop_skip{
    .name = "remove-skip-connection",
    .acronym = "",
    .summary = "Removes a skip connection",
    .type = "model/model-type-and-properties/wrong-network-architecture",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
