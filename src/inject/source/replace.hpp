#pragma once

#include "inject/operator.hpp"

#include <span>
#include <string_view>

namespace faultline::inject {

// One sign or keyword and what stands in its place. A sign may have several lines.
struct Replacement {
  std::string_view from;
  std::string_view to;
};

// Every way to replace one sign or keyword that is directly inside a node of `kind`, such as the
// `+` of a `binary_operator`.
void replace_signs(const Subject& subject,
                   std::string_view kind,
                   std::span<const Replacement> replacements,
                   Mutations& found);

// Replace the whole of `node`.
Mutation replace_node(const source::Node& node, std::string text);

} // namespace faultline::inject
