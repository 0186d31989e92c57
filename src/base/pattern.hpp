#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct pcre2_real_code_8;
struct pcre2_real_match_data_8;

namespace faultline {

// The cost limit of one match. A pattern that backtracks more than this does not match.
struct PatternLimits {
  uint32_t steps = 1'000'000;
  uint32_t heap_kib = 64 * 1024;
};

// A compiled regular expression (PCRE2). Matching does not recurse on the stack and is bounded in
// steps and memory, so a hostile line costs little.
class Pattern {
public:
  struct Options {
    bool same_names = false; // alternatives may have groups of the same name
    PatternLimits limits;
  };

  // The groups of one match, valid while the text that was searched is.
  class Match {
  public:
    // Nothing for a group that did not participate in the match.
    std::optional<std::string_view> group(size_t number) const;
    std::string group(const char* name) const; // empty if it did not participate

  private:
    friend class Pattern;
    Match(std::string_view text, pcre2_real_match_data_8* data) : m_text(text), m_data(data) {}

    std::string_view m_text;
    pcre2_real_match_data_8* m_data;
  };

  // The error says what is wrong and where: "missing closing parenthesis at character 5".
  static Result<Pattern> compile(std::string_view expression, const Options& options);
  static Result<Pattern> compile(std::string_view expression);

  // Whether some part of `text` matches.
  bool matches(std::string_view text) const;

  // Calls `on_match` for the matches in `text` from left to right, until it returns false.
  void find(std::string_view text, const std::function<bool(const Match&)>& on_match) const;

  size_t groups() const;
  std::vector<std::string> group_names() const;

private:
  struct Free {
    void operator()(pcre2_real_code_8* code) const;
  };
  Pattern(pcre2_real_code_8* code, PatternLimits limits) : m_code(code), m_limits(limits) {}

  std::unique_ptr<pcre2_real_code_8, Free> m_code;
  PatternLimits m_limits;
};

} // namespace faultline
