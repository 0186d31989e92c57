#pragma once

#include <cstddef>
#include <string_view>

namespace faultline {

// One character of UTF-8 text. An invalid byte is a character of its own, U+FFFD.
struct Character {
  std::string_view bytes;
  char32_t code = 0;

  // Columns of a terminal: 2 for East Asian wide characters and pictures, 0 for marks that combine
  // with the character before and for control characters.
  size_t width() const;
};

// The first character of `text`, which is not empty.
Character first_character(std::string_view text);

} // namespace faultline
