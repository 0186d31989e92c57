#include "base/terminal.hpp"

#include "base/format.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace faultline {

static bool is_set(const char* variable)
{
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

bool is_terminal(int fd)
{
  return isatty(fd) == 1;
}

bool shows_colour(int fd, ColourMode mode)
{
  if (mode != ColourMode::automatic) {
    return mode == ColourMode::always;
  }
  // Any value but the empty string disables colour (no-color.org).
  if (const char* value = std::getenv("NO_COLOR"); value != nullptr && *value != '\0') {
    return false;
  }
  return is_set("CLICOLOR_FORCE") || is_terminal(fd);
}

size_t terminal_width(int fd)
{
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return size.ws_col;
  }
  return 100;
}

std::string Painter::operator()(Colour colour, std::string_view text) const
{
  if (!m_enabled || colour == Colour::plain || text.empty()) {
    return std::string(text);
  }
  static constexpr const char* k_codes[] = {"", "1", "2", "31", "32", "33", "34", "36"};
  return format("\x1b[{}m{}\x1b[0m", k_codes[static_cast<size_t>(colour)], text);
}

} // namespace faultline
