#pragma once

#include "source/finding.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace faultline::evaluate {

// What a tool says about a program, in its own words. Empty or 0 where it says nothing.
struct ToolFinding {
  std::string rule;
  std::string file;
  size_t line = 0;
  std::string message;
  std::string type;     // a fault type, if the tool names one itself
  std::string severity; // the tool's word

  friend bool operator==(const ToolFinding&, const ToolFinding&) = default;
};

// A tool's output, read. Hostile output costs a bounded amount of time and memory.
struct ToolOutput {
  std::vector<ToolFinding> findings;
  std::string problem; // why it could not be read; empty if it could
  // Lines of text, or entries of a list: those that gave a finding, and those that gave none. Blank
  // lines are neither.
  size_t matched = 0;
  size_t unmatched = 0;
};

// More findings than this of one run, and longer texts, are cut: nobody reads them either.
inline constexpr size_t k_most_findings = 2'000;
inline constexpr size_t k_longest_message = 1'000;
inline constexpr size_t k_longest_name = 300;

} // namespace faultline::evaluate
