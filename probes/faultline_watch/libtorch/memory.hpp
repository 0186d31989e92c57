#pragma once

// Memory that a program hands over as a tensor (from_blob): does it look like values of that type?

#include <cstddef>
#include <optional>
#include <string>

namespace faultline_watch {

struct Misread {
  std::string looks_like;           // "float64"
  double odd = 0;                   // share of values that make no sense as they are read
  double smallest = 0, largest = 0; // of the values as they were meant, most likely
};

// Nothing if the values make sense as `type`, or as no other type either.
std::optional<Misread> misread(const std::string& type, const void* data, size_t bytes);

} // namespace faultline_watch
