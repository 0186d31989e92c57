#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::cli {

// Lines at the bottom of the terminal that are redrawn again and again while other text scrolls by
// above them. The terminal is that of standard error.
class LiveArea {
public:
  explicit LiveArea(bool on) : m_on(on) {}
  ~LiveArea() { clear(); }
  LiveArea(const LiveArea&) = delete;
  LiveArea& operator=(const LiveArea&) = delete;

  bool is_on() const { return m_on; }
  // Prints text above the area; an unfinished line is ended before the area is redrawn.
  void print(std::string_view text);
  void draw(std::vector<std::string> lines);
  void clear();

private:
  bool m_on;
  bool m_open_line = false; // the text above does not end in a line feed
  size_t m_drawn = 0;
};

} // namespace faultline::cli
