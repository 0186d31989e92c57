#include "base/json.hpp"

namespace faultline {

Json parse_json(std::string_view text)
{
  return Json::parse(text, nullptr, false);
}

static std::string dump(const Json& value, int indentation)
{
  return value.dump(indentation, ' ', false, Json::error_handler_t::replace);
}

std::string print_json(const Json& value)
{
  return dump(value, 2) + "\n";
}

std::string print_json_line(const Json& value)
{
  return dump(value, -1) + "\n";
}

std::string print_json_compact(const Json& value)
{
  return dump(value, -1);
}

} // namespace faultline
