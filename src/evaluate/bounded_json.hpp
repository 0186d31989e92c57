#pragma once

#include "base/json.hpp"
#include "base/result.hpp"

#include <string_view>

namespace faultline::evaluate {

// A tool's JSON, refused before it is built if it is too deep or has too many values: what a
// megabyte of brackets takes in memory is many times its size.
Result<Json> parse_bounded_json(std::string_view text);

// The value at `path`: keys and numbers joined by dots; empty: the value itself. Null if there is
// none.
const Json* at_path(const Json& value, std::string_view path);

// A text, or a number as text; empty for anything else.
std::string text_of(const Json* value);

// A line number; 0 for anything else.
size_t line_of(const Json* value);

} // namespace faultline::evaluate
