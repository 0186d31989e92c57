#include "source/json_ranges.hpp"

#include "base/json.hpp"

#include <algorithm>

namespace faultline::source {

namespace {

// Steps through valid JSON; at the end of the text every step stays where it is.
class Scanner {
public:
  Scanner(std::string_view text, size_t at) : m_text(text), m_at(at) {}

  size_t at() const { return m_at; }
  char here() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }

  void skip_space()
  {
    while (m_at < m_text.size() && std::string_view(" \t\r\n").find(here()) != m_text.npos) {
      ++m_at;
    }
  }

  void skip(size_t n) { m_at = std::min(m_at + n, m_text.size()); }

  void skip_string()
  {
    skip(1);
    while (m_at < m_text.size() && here() != '"') {
      skip(here() == '\\' ? 2 : 1);
    }
    skip(1);
  }

  // Brackets are counted instead of recursed into: nesting may be deep.
  ByteRange skip_value()
  {
    skip_space();
    const size_t begin = m_at;
    size_t depth = 0;
    do {
      const char c = here();
      if (c == '"') {
        skip_string();
      } else if (c == '{' || c == '[') {
        ++depth;
        skip(1);
      } else if (c == '}' || c == ']') {
        --depth;
        skip(1);
      } else if (depth > 0) {
        skip(1);
      } else {
        while (m_at < m_text.size() && std::string_view(",]} \t\r\n").find(here()) == m_text.npos) {
          ++m_at;
        }
      }
    } while (depth > 0 && m_at < m_text.size());
    return {begin, m_at};
  }

private:
  std::string_view m_text;
  size_t m_at;
};

} // namespace

ByteRange json_document(std::string_view json)
{
  constexpr std::string_view k_byte_order_mark = "\xEF\xBB\xBF";
  return Scanner(json, json.starts_with(k_byte_order_mark) ? k_byte_order_mark.size() : 0)
      .skip_value();
}

std::optional<ByteRange> json_member(std::string_view json, ByteRange value, std::string_view key)
{
  Scanner scan(json.substr(0, value.end), value.begin);
  if (scan.here() != '{') {
    return std::nullopt;
  }
  std::optional<ByteRange> found;
  scan.skip(1);
  scan.skip_space();
  while (scan.here() == '"') {
    const size_t begin = scan.at();
    scan.skip_string();
    const std::string_view name = json.substr(begin, scan.at() - begin);
    scan.skip_space();
    scan.skip(1); // the colon
    const ByteRange member = scan.skip_value();
    if (parse_json(name) == key) {
      found = member;
    }
    scan.skip_space();
    scan.skip(1); // the comma or the closing brace
    scan.skip_space();
  }
  return found;
}

std::vector<ByteRange> json_items(std::string_view json, ByteRange value)
{
  std::vector<ByteRange> items;
  Scanner scan(json.substr(0, value.end), value.begin);
  if (scan.here() != '[') {
    return items;
  }
  scan.skip(1);
  scan.skip_space();
  while (scan.here() != ']' && scan.at() < value.end) {
    items.push_back(scan.skip_value());
    scan.skip_space();
    if (scan.here() == ',') {
      scan.skip(1);
    }
    scan.skip_space();
  }
  return items;
}

} // namespace faultline::source
