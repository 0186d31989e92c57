#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

namespace faultline {

// A progress bar on standard error. If that is not a terminal, it prints a line after every tenth
// of the work or every 15 seconds instead. Safe to call from several threads.
class Progress {
public:
  enum class Style { automatic, silent };

  Progress(std::string what, size_t total, Style style = Style::automatic);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void grow(size_t more);
  // One more item is done; `note` says which, or with what result.
  void advance(std::string_view note);
  // Print a line of its own above the bar.
  void print(std::string_view line);

private:
  void draw();
  void erase();

  std::mutex m_mutex;
  std::string m_what;
  std::string m_note;
  size_t m_total;
  size_t m_done = 0;
  size_t m_tenths = 0;
  double m_start;
  double m_said;
  bool m_bar;
  bool m_silent;
};

} // namespace faultline
