#pragma once

#include "source/language.hpp"

#include <span>
#include <string_view>

namespace faultline::source {

// The kinds of node that count as a statement: simple ones, compound ones, definitions, and those
// parts of a compound one that have a line of their own, such as `else:`. Blocks are not.
std::span<const std::string_view> statement_kinds(Language language);

bool is_statement(std::string_view kind, Language language);

} // namespace faultline::source
