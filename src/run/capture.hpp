#pragma once

#include "base/result.hpp"

#include <string>
#include <vector>

namespace faultline::run {

struct Captured {
  int status = 0; // exit status, or 128 + signal
  std::string output;
};

// Run a trusted program of this machine (such as an interpreter, for its version) and collect its
// output, including standard error. Fails if it cannot be started.
Result<Captured> capture(const std::vector<std::string>& command);

} // namespace faultline::run
