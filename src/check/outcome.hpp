#pragma once

#include "check/checker.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::check {

// What came of one program. Texts are kept for files with findings only.
struct Outcome {
  bool done = false;
  std::string unreadable; // why; empty if it was read
  std::string failed;     // how its analysis ended; empty if it came to its end
  std::optional<Gap> gap;
  std::vector<source::Finding> findings;
  std::optional<LoadedText> own;               // the main file, if something is found in it
  std::map<std::string, std::string> imported; // other files in which something is found
};

// An outcome as bytes, for the way from the process that found it.
std::string encode(const Outcome& outcome);
Result<Outcome> decode(std::string_view bytes);

} // namespace faultline::check
