#include "cli/live_area.hpp"

#include "base/format.hpp"

#include <iostream>

namespace faultline::cli {

void LiveArea::clear()
{
  if (m_drawn == 0) {
    return;
  }
  // Go to the first line of the area and erase from there. An unfinished line above continues.
  std::cerr << format("\x1b[{}A\r\x1b[J", m_drawn) << std::flush;
  m_drawn = 0;
}

void LiveArea::print(std::string_view text)
{
  if (text.empty()) {
    return;
  }
  clear();
  std::cerr << text << std::flush;
  m_open_line = !text.ends_with('\n');
}

void LiveArea::draw(std::vector<std::string> lines)
{
  if (!m_on || m_open_line) {
    return; // the program may be drawing a progress bar of its own
  }
  clear();
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  std::cerr << text << std::flush;
  m_drawn = lines.size();
}

} // namespace faultline::cli
