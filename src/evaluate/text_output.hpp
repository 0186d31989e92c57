#pragma once

#include "base/result.hpp"
#include "evaluate/finding.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct pcre2_real_code_8;

namespace faultline::evaluate {

// A regular expression (PCRE2) that finds findings in lines of text, by its named groups `file`,
// `line`, `rule`, `message`, `severity` and `type`. Matching is bounded in steps and memory.
class FindingPattern {
public:
  static Result<FindingPattern> compile(const std::string& expression);

  // Adds what matches in one line, from left to right.
  void find(std::string_view line, std::vector<ToolFinding>& into) const;

private:
  struct Free {
    void operator()(pcre2_real_code_8* code) const;
  };
  explicit FindingPattern(pcre2_real_code_8* code) : m_code(code) {}

  std::unique_ptr<pcre2_real_code_8, Free> m_code;
};

// Line by line, by the first pattern that matches. A tool that gives no rule is known by its
// message.
ToolOutput read_text_output(std::string_view text, const std::vector<std::string>& patterns);

} // namespace faultline::evaluate
