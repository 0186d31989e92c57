#include "evaluate/tool_json.hpp"

#include "base/bounded_json.hpp"
#include "base/text.hpp"

#include <charconv>

namespace faultline::evaluate {

Result<Json> parse_tool_json(std::string_view text)
{
  if (trim(text).empty()) {
    return Error{ErrorKind::bad_data, "printed nothing where JSON was expected"};
  }
  return parse_bounded_json(text);
}

const Json* at_path(const Json& value, std::string_view path)
{
  const Json* at = &value;
  while (!path.empty()) {
    const size_t dot = path.find('.');
    const std::string key(path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    if (at->is_object()) {
      const auto found = at->find(key);
      if (found == at->end()) {
        return nullptr;
      }
      at = &*found;
    } else if (at->is_array()) {
      size_t index = 0;
      const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
      if (error != std::errc() || end != key.data() + key.size() || index >= at->size()) {
        return nullptr;
      }
      at = &(*at)[index];
    } else {
      return nullptr;
    }
  }
  return at;
}

std::string text_of(const Json* value)
{
  if (value == nullptr) {
    return {};
  }
  return value->is_string()   ? value->get_ref<const std::string&>()
         : value->is_number() ? value->dump()
                              : std::string();
}

size_t line_of(const Json* value)
{
  size_t line = 0;
  if (value == nullptr) {
    return 0;
  }
  if (value->is_number_unsigned()) {
    return value->get<size_t>();
  }
  const std::string text = text_of(value);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), line);
  return error == std::errc() && end == text.data() + text.size() ? line : 0;
}

} // namespace faultline::evaluate
