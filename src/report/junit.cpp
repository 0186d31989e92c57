#include "report/junit.hpp"

#include "base/format.hpp"
#include "report/html.hpp"

#include <algorithm>

namespace faultline::report {

// For an attribute, which XML would rob of its line feeds.
static std::string escaped(std::string text)
{
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, '?');
  return escape_html(text);
}

std::string junit_xml(const std::string& suite, const std::vector<JUnitCase>& cases)
{
  const auto count = [&cases](std::string JUnitCase::*field) {
    return std::ranges::count_if(cases,
                                 [field](const JUnitCase& c) { return !(c.*field).empty(); });
  };
  double seconds = 0;
  for (const JUnitCase& c : cases) {
    seconds += c.seconds;
  }
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  xml += format(
      "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n",
      escaped(suite),
      cases.size(),
      count(&JUnitCase::failure),
      count(&JUnitCase::skipped),
      seconds);
  for (const JUnitCase& c : cases) {
    xml += format("  <testcase name=\"{}\" classname=\"{}\" time=\"{:.3f}\"",
                  escaped(c.name),
                  escaped(c.group),
                  c.seconds);
    if (!c.failure.empty()) {
      xml += format(">\n    <failure message=\"{}\"/>\n  </testcase>\n", escaped(c.failure));
    } else if (!c.skipped.empty()) {
      xml += format(">\n    <skipped message=\"{}\"/>\n  </testcase>\n", escaped(c.skipped));
    } else {
      xml += "/>\n";
    }
  }
  return xml + "</testsuite>\n";
}

} // namespace faultline::report
