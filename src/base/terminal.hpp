#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace faultline {

enum class Colour { plain, bold, dim, red, green, yellow, blue, cyan };
enum class ColourMode { automatic, always, never };

// Whether to use colour on a stream: if requested, or if it is a terminal and NO_COLOR is not set
// (CLICOLOR_FORCE forces it).
bool shows_colour(int fd, ColourMode mode);

bool is_terminal(int fd);

// Columns of the terminal behind `fd`, 100 if it is none.
size_t terminal_width(int fd);

// Colours text, or leaves it as it is.
class Painter {
public:
  explicit Painter(bool enabled) : m_enabled(enabled) {}

  std::string operator()(Colour colour, std::string_view text) const;
  bool enabled() const { return m_enabled; }

private:
  bool m_enabled;
};

} // namespace faultline
