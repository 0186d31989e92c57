#include "base/character.hpp"

#include <algorithm>
#include <array>

namespace faultline {

namespace {

struct CodeRange {
  char32_t first;
  char32_t last;
};

// Blocks of Unicode's EastAsianWidth.txt that are W or F throughout, or nearly so.
constexpr std::array<CodeRange, 15> k_wide = {{{0x1100, 0x115F},
                                               {0x2E80, 0x303E},
                                               {0x3041, 0x33FF},
                                               {0x3400, 0x4DBF},
                                               {0x4E00, 0x9FFF},
                                               {0xA000, 0xA4CF},
                                               {0xA960, 0xA97F},
                                               {0xAC00, 0xD7A3},
                                               {0xF900, 0xFAFF},
                                               {0xFE30, 0xFE6F},
                                               {0xFF00, 0xFF60},
                                               {0xFFE0, 0xFFE6},
                                               {0x1F300, 0x1F64F},
                                               {0x1F680, 0x1FAFF},
                                               {0x20000, 0x3FFFD}}};

constexpr std::array<CodeRange, 8> k_without_width = {{{0x0000, 0x001F},
                                                       {0x007F, 0x009F},
                                                       {0x0300, 0x036F},
                                                       {0x200B, 0x200F},
                                                       {0x202A, 0x202E},
                                                       {0x20D0, 0x20FF},
                                                       {0xFE00, 0xFE0F},
                                                       {0xFEFF, 0xFEFF}}};

template <size_t N> bool is_in(const std::array<CodeRange, N>& ranges, char32_t code)
{
  return std::ranges::any_of(
      ranges, [code](const CodeRange& r) { return r.first <= code && code <= r.last; });
}

} // namespace

size_t Character::width() const
{
  if (code >= 0x20 && code < 0x7F) {
    return 1;
  }
  return is_in(k_without_width, code) ? 0 : is_in(k_wide, code) ? 2 : 1;
}

Character first_character(std::string_view text)
{
  constexpr char32_t k_replacement = 0xFFFD;
  const auto byte = [&text](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) {
    return {text.substr(0, 1), first};
  }
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) {
    return {text.substr(0, 1), k_replacement};
  }
  char32_t code = first & (0x7FU >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) {
      return {text.substr(0, 1), k_replacement};
    }
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool impossible = code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF);
  if (overlong || impossible) {
    return {text.substr(0, 1), k_replacement};
  }
  return {text.substr(0, length), code};
}

} // namespace faultline
