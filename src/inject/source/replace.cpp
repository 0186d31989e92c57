#include "inject/source/replace.hpp"

namespace faultline::inject {

void replace_signs(const Subject& subject,
                   std::string_view kind,
                   std::span<const Replacement> replacements,
                   Mutations& found)
{
  const auto enter = [&](const source::Node& node) {
    if (node.kind() == kind) {
      for (const source::Node& sign : node.children()) {
        for (const Replacement& replacement : replacements) {
          // A sign that the parser supplied to go on is not there to be replaced.
          if (!sign.is_named() && !sign.is_missing() && sign.kind() == replacement.from) {
            found.push_back(replace_node(sign, std::string(replacement.to)));
            found.back().before = replacement.from;
          }
        }
      }
    }
    return true;
  };
  source::walk(subject.tree.root(), enter, [](const source::Node&) {});
}

Mutation replace_node(const source::Node& node, std::string text)
{
  return {{{node.begin_byte(), node.end_byte(), text}}, std::string(node.text()), text};
}

} // namespace faultline::inject
