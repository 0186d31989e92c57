#include "source/line_index.hpp"

#include <algorithm>

namespace faultline::source {

// Bytes that continue a character are not counted.
static bool is_first_byte(char c)
{
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

LineIndex::LineIndex(std::string_view text) : m_text(text)
{
  m_starts.push_back(0);
  for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    m_starts.push_back(at + 1);
  }
}

LineColumn LineIndex::at(size_t byte) const
{
  byte = std::min(byte, m_text.size());
  const auto next = std::ranges::upper_bound(m_starts, byte);
  const auto line = static_cast<size_t>(next - m_starts.begin());
  const std::string_view before = m_text.substr(m_starts[line - 1], byte - m_starts[line - 1]);
  const auto characters = std::ranges::count_if(before, is_first_byte);
  return {line, static_cast<size_t>(characters) + 1};
}

size_t LineIndex::byte_of(LineColumn place) const
{
  const size_t byte = line_begin(place.line);
  const std::string_view text = line(place.line);
  size_t column = 0; // of the character that was met last
  for (size_t i = 0; i < text.size(); ++i) {
    column += is_first_byte(text[i]) ? 1 : 0;
    if (column == place.column) {
      return byte + i;
    }
  }
  return byte + text.size();
}

std::string_view LineIndex::line(size_t number) const
{
  if (number == 0 || number > m_starts.size()) {
    return {};
  }
  const size_t begin = m_starts[number - 1];
  size_t end = number < m_starts.size() ? m_starts[number] - 1 : m_text.size();
  if (end > begin && m_text[end - 1] == '\r') {
    --end;
  }
  return m_text.substr(begin, end - begin);
}

size_t LineIndex::line_begin(size_t number) const
{
  return number == 0 || number > m_starts.size() ? m_text.size() : m_starts[number - 1];
}

} // namespace faultline::source
