#include "inject/source/replace.hpp"

namespace faultline::inject {

static constexpr Replacement k_replacements[] = {{"and", "or"}, {"or", "and"}};

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  replace_signs(subject, "boolean_operator", k_replacements, found);
  const auto enter = [&found](const source::Node& node) {
    if (node.kind() == "not_operator") {
      if (const auto argument = node.child("argument"); argument && !argument->has_error()) {
        found.push_back({{{node.begin_byte(), argument->begin_byte(), ""}}, "not", ""});
      }
    }
    return true;
  };
  source::walk(subject.tree.root(), enter, [](const source::Node&) {});
}

extern const Operator logical_operator;
const Operator logical_operator{
    .name = "replace-logical-operator",
    .acronym = "LogOR",
    .summary = "Swaps the operators and and or, or drops a not",
    .level = Level::source,
    .find = find,
};

} // namespace faultline::inject
