#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace faultline::program {

// Bytes `begin` up to, not including, `end` of file number `file` of the program.
struct Span {
  uint32_t file = 0;
  uint32_t begin = 0;
  uint32_t end = 0;

  bool empty() const { return begin == end; }
  bool contains(const Span& other) const
  {
    return file == other.file && begin <= other.begin && other.end <= end;
  }
  friend bool operator==(const Span&, const Span&) = default;
  friend auto operator<=>(const Span&, const Span&) = default;
};

} // namespace faultline::program
