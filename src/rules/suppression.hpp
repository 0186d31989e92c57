#pragma once

#include "rules/rule.hpp"

#include <map>
#include <string_view>
#include <vector>

namespace faultline::rules {

// What the comments of one file ask not to be told:
//   x = f()  # faultline: ignore DL101, NU   on the line of the finding, or
//   # faultline: ignore DL101                alone on the line or lines above it
//   # faultline: ignore-file                 anywhere: nothing in this file
// Without rules it means all of them. Looks at the text, which must outlive it.
class Suppressions {
public:
  explicit Suppressions(std::string_view text);

  // Whether a finding of `rule` on these lines (from 1) is not wanted.
  bool covers(const Rule& rule, size_t first_line, size_t last_line) const;

private:
  using Words = std::vector<std::string_view>; // "all" if the comment names no rule
  std::map<size_t, Words> m_lines;
  Words m_file;
};

} // namespace faultline::rules
