#pragma once

#include "base/file.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::evaluate {

// Lines from 1, both ends included.
struct LineRange {
  size_t first = 0;
  size_t last = 0;

  bool contains(size_t line) const { return first <= line && line <= last; }
  friend bool operator==(const LineRange&, const LineRange&) = default;
};

// Where the lines of one version are in another. A line that was kept is one line there; one that
// was replaced is any line of what stands in its place; one that was only removed is nowhere.
class LineMap {
public:
  LineMap(const FileTree& before, const FileTree& after);

  std::optional<LineRange> of(const std::string& file, size_t line) const;

private:
  std::map<std::string, std::vector<std::optional<LineRange>>> m_files;
};

} // namespace faultline::evaluate
