#pragma once

#include <string>
#include <vector>

namespace faultline::report {

struct JUnitCase {
  std::string name;
  std::string group;
  double seconds = 0;
  std::string failure; // why it failed; empty if it passed
  std::string skipped; // why it was not run; empty if it was
};

// The XML that continuous-integration servers read.
std::string junit_xml(const std::string& suite, const std::vector<JUnitCase>& cases);

} // namespace faultline::report
