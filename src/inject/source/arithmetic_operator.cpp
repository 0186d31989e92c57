#include "inject/operator.hpp"

#include <map>

namespace faultline::inject {

static const std::map<std::string_view, std::string_view> k_replacements = {
    {"+", "-"}, {"-", "+"}, {"*", "/"}, {"/", "*"}, {"%", "/"}, {"//", "/"}};

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const auto enter = [&found](const source::Node& node) {
    if (node.kind() == "binary_operator") {
      const source::Node sign = *node.child("operator");
      if (const auto other = k_replacements.find(sign.kind()); other != k_replacements.end()) {
        found.push_back({{{sign.begin_byte(), sign.end_byte(), std::string(other->second)}},
                         std::string(other->first),
                         std::string(other->second)});
      }
    }
    return true;
  };
  source::walk(subject.tree.root(), enter, [](const source::Node&) {});
}

extern const Operator arithmetic_operator;
const Operator arithmetic_operator{
    .name = "replace-arithmetic-operator",
    .acronym = "ArOR",
    .summary = "Replaces an arithmetic operator: + by -, * by /, % and // by /",
    .leaf = "",
    .level = Level::source,
    .find = find,
};

} // namespace faultline::inject
