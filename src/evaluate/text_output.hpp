#pragma once

#include "base/pattern.hpp"
#include "evaluate/finding.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::evaluate {

// A regular expression (PCRE2) that finds findings in lines of text, by its named groups `file`,
// `line`, `rule`, `message`, `severity` and `type`.
class FindingPattern {
public:
  static Result<FindingPattern> compile(const std::string& expression);

  // Adds what matches in one line, from left to right.
  void find(std::string_view line, std::vector<ToolFinding>& into) const;

private:
  explicit FindingPattern(Pattern pattern) : m_pattern(std::move(pattern)) {}

  Pattern m_pattern;
};

// A line of a tool's output, and which of the patterns, from 0, was the first to match it.
struct ReadLine {
  std::string_view text;
  std::optional<size_t> pattern;
};

// The same reading as below, told line by line.
std::vector<ReadLine> read_lines(std::string_view text,
                                 const std::vector<std::string>& patterns,
                                 std::vector<ToolFinding>& findings);

// Line by line, by the first pattern that matches. A tool that gives no rule is known by its
// message.
ToolOutput read_text_output(std::string_view text, const std::vector<std::string>& patterns);

} // namespace faultline::evaluate
