#include "base/progress.hpp"

#include "base/clock.hpp"
#include "base/format.hpp"
#include "base/terminal.hpp"
#include "base/text.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>

namespace faultline {

// Without a terminal, a line is printed after this many seconds, even if little was done.
constexpr double k_longest_silence = 15;

Progress::Progress(std::string what, size_t total, Style style)
    : m_what(std::move(what)), m_total(total), m_start(monotonic_seconds()), m_said(m_start),
      m_bar(style == Style::automatic && is_terminal(STDERR_FILENO)),
      m_silent(style == Style::silent)
{
  const std::lock_guard lock(m_mutex);
  draw();
}

Progress::~Progress()
{
  const std::lock_guard lock(m_mutex);
  erase();
}

void Progress::grow(size_t more)
{
  const std::lock_guard lock(m_mutex);
  m_total += more;
  draw();
}

void Progress::advance(std::string_view note)
{
  const std::lock_guard lock(m_mutex);
  ++m_done;
  m_note = note;
  draw();
  const size_t tenths = m_total == 0 ? 0 : m_done * 10 / m_total;
  const double now = monotonic_seconds();
  if (!m_bar && !m_silent && (tenths > m_tenths || now - m_said > k_longest_silence)) {
    std::cerr << format(
        "{}: {} of {} ({})\n", m_what, m_done, m_total, print_duration(now - m_start));
    m_said = now;
  }
  m_tenths = tenths;
}

void Progress::print(std::string_view line)
{
  if (m_silent) {
    return;
  }
  const std::lock_guard lock(m_mutex);
  erase();
  std::cerr << line << '\n';
  draw();
}

void Progress::erase()
{
  if (m_bar) {
    std::cerr << "\r\x1b[K" << std::flush;
  }
}

void Progress::draw()
{
  if (!m_bar || m_total == 0) {
    return;
  }
  const double spent = monotonic_seconds() - m_start;
  const std::string left =
      m_done == 0
          ? ""
          : format(", {} left", print_duration(spent / double(m_done) * double(m_total - m_done)));
  const std::string tail = format(" {}/{} {}{}", m_done, m_total, print_duration(spent), left);
  const size_t width = terminal_width(STDERR_FILENO);
  const size_t room =
      width > m_what.size() + tail.size() + 4 ? width - m_what.size() - tail.size() - 4 : 0;
  const size_t cells = std::min<size_t>(30, room);
  const size_t full = cells * m_done / m_total;
  std::string bar;
  for (size_t i = 0; i < cells; ++i) {
    bar += i < full ? "━" : "╌";
  }
  std::string note = m_note;
  if (cells + note.size() + 1 > room) {
    note.clear();
  }
  std::cerr << "\r\x1b[K" << m_what << ' ' << bar << tail << (note.empty() ? "" : "  ") << note
            << std::flush;
}

} // namespace faultline
