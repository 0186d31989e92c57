#include "report/diff_text.hpp"

#include "base/text.hpp"

namespace faultline::report {

static Colour colour_of(std::string_view line)
{
  if (line.starts_with("--- a/") || line.starts_with("+++ b/") || line.starts_with("diff ") ||
      line == "--- /dev/null" || line == "+++ /dev/null") {
    return Colour::bold;
  }
  if (line.starts_with("@@")) {
    return Colour::cyan;
  }
  return line.starts_with('-')   ? Colour::red
         : line.starts_with('+') ? Colour::green
                                 : Colour::plain;
}

std::string paint_diff(std::string_view diff, const Painter& paint)
{
  std::string text;
  for (const std::string_view line : split_lines(diff)) {
    text += paint(colour_of(line), line) + "\n";
  }
  return text;
}

} // namespace faultline::report
