#pragma once

// Text of the events: small objects, written key by key.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace faultline_watch {

inline std::string json_text(std::string_view text)
{
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (code < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", code);
      out += escape;
    } else {
      out += code < 0x80 ? c : '?'; // names and messages of other encodings need not be valid
    }
  }
  return out + "\"";
}

// A number that is not finite is a word.
inline std::string printed(double value)
{
  if (!std::isfinite(value)) {
    return std::isnan(value) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"";
  }
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

class Object {
public:
  Object& raw(std::string_view key, std::string_view json)
  {
    m_text += m_text.size() > 1 ? "," : "";
    m_text += json_text(key);
    m_text += ':';
    m_text += json;
    return *this;
  }
  Object& text(std::string_view key, std::string_view value) { return raw(key, json_text(value)); }
  Object& number(std::string_view key, double value) { return raw(key, printed(value)); }
  Object& whole(std::string_view key, int64_t value) { return raw(key, std::to_string(value)); }
  Object& flag(std::string_view key, bool value) { return raw(key, value ? "true" : "false"); }

  std::string done() const { return m_text + "}"; }

private:
  std::string m_text = "{";
};

template <typename Items, typename Print> std::string array_of(const Items& items, Print print)
{
  std::string text = "[";
  for (const auto& item : items) {
    text += text.size() > 1 ? "," : "";
    text += print(item);
  }
  return text + "]";
}

} // namespace faultline_watch
