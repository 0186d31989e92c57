#pragma once

#include "base/result.hpp"

#include <string>
#include <vector>

namespace faultline::run {

struct Captured {
  int status = 0; // exit status, or 128 + signal
  std::string output;
};

// Run a trusted tool of the machine (an interpreter asked for its version, say) and collect what it
// prints, standard error included. An error if it cannot be started.
Result<Captured> capture(const std::vector<std::string>& command);

} // namespace faultline::run
