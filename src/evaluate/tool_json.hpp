#pragma once

#include "base/json.hpp"
#include "base/result.hpp"

#include <string>
#include <string_view>

namespace faultline::evaluate {

// What a tool printed, refused if it is too deep or too much.
Result<Json> parse_tool_json(std::string_view text);

// The value at `path`: keys and numbers joined by dots; empty: the value itself. Null if there is
// none.
const Json* at_path(const Json& value, std::string_view path);

// A text, or a number as text; empty for anything else.
std::string text_of(const Json* value);

// A line number; 0 for anything else.
size_t line_of(const Json* value);

} // namespace faultline::evaluate
