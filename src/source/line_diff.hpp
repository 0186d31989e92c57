#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace faultline::source {

enum class LineKind { kept, removed, added };

// A run of lines with one fate. Line numbers are 0-based; on the side where a removed or added run
// has no lines, the number tells where it would be.
struct LineChange {
  LineKind kind = LineKind::kept;
  size_t old_line = 0;
  size_t new_line = 0;
  size_t count = 0;

  friend bool operator==(const LineChange&, const LineChange&) = default;
};

// How `before` becomes `after`, from the first line to the last. Runs are as long as can be, and
// between two kept runs what is removed comes before what is added. The result is the shortest for
// files that differ in a few hundred places; beyond that it is correct but may be a little longer.
std::vector<LineChange> line_diff(std::span<const std::string_view> before,
                                  std::span<const std::string_view> after);

// The same for whole texts. A last line with and one without line feed are different lines.
std::vector<LineChange> line_diff(std::string_view before, std::string_view after);

} // namespace faultline::source
