#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace faultline {

// Keys keep the order in which they are written.
using Json = nlohmann::ordered_json;

// Two spaces of indentation, one line feed at the end; bytes that are not UTF-8 are replaced.
inline std::string print_json(const Json& value)
{
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// The same on one line.
inline std::string print_json_line(const Json& value)
{
  return value.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace faultline
