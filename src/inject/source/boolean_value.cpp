#include "inject/source/replace.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const auto enter = [&found](const source::Node& node) {
    if (node.is_named() && !node.is_missing()) {
      if (node.kind() == "true") {
        found.push_back(replace_node(node, "False"));
      } else if (node.kind() == "false") {
        found.push_back(replace_node(node, "True"));
      }
    }
    return true;
  };
  source::walk(subject.tree.root(), enter, [](const source::Node&) {});
}

extern const Operator boolean_value;
const Operator boolean_value{
    .name = "negate-boolean-value",
    .acronym = "BVR",
    .summary = "Swaps True and False",
    .level = Level::source,
    .find = find,
};

} // namespace faultline::inject
