#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace faultline::proof {

// What a test reports at its end, over a channel that the program under test cannot reach
// (probes/oracle/). Nothing else counts as a verdict: not the log, and not an exit status of zero.
struct TestReport {
  bool passed = false;
  std::string message; // why not
  size_t checks = 0;   // that were made, the failed one included
  std::map<std::string, double> metrics;
};

// The report in what a test wrote. It is an error if there is none or more than one.
Result<TestReport> read_report(std::string_view text);

} // namespace faultline::proof
