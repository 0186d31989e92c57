#pragma once

#include "campaign/spec.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>

struct pcre2_real_code_8;

namespace faultline::campaign {

// A regular expression (PCRE2) with at least one group. Matching is bounded in steps and in memory
// and keeps off the stack, so a hostile line costs a moment at most.
class Pattern {
public:
  static Result<Pattern> compile(const std::string& expression);

  int groups() const;
  // The first group of the last match in `text`, where a match never spans lines.
  std::optional<std::string> last_match(std::string_view text) const;

private:
  struct Free {
    void operator()(pcre2_real_code_8* code) const;
  };
  explicit Pattern(pcre2_real_code_8* code) : m_code(code) {}

  std::unique_ptr<pcre2_real_code_8, Free> m_code;
};

// What a run gave: metrics by name. One that was never printed or written, or is no number, is
// absent; NaN and infinities are values. `written` are the JSON files that the program wrote, by
// the name that the campaign gives.
std::map<std::string, double> read_metrics(const Spec& spec,
                                           std::string_view log,
                                           const std::map<std::string, std::string>& written);

// A number as programs print it: "0.93", "-inf", "nan", "NaN"; nothing if it is none.
std::optional<double> parse_number(std::string_view text);

} // namespace faultline::campaign
