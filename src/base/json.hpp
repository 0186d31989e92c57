#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace faultline {

// Keys keep the order in which they are written.
using Json = nlohmann::ordered_json;

// Parsing and printing are compiled only in json.cpp, because the templates are large.

// Parses `text`; gives a discarded value (`is_discarded`) if it is not JSON.
Json parse_json(std::string_view text);

// Two spaces of indentation, one line feed at the end; bytes that are not UTF-8 are replaced.
std::string print_json(const Json& value);

// The same on one line.
std::string print_json_line(const Json& value);

// On one line, without a line feed at the end.
std::string print_json_compact(const Json& value);

} // namespace faultline
