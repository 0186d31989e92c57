#include "evaluate/text_output.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "catalog/filter.hpp"

#include <algorithm>
#include <charconv>

namespace faultline::evaluate {

// Enough for any line that a person reads; what goes beyond counts as not matching.
constexpr PatternLimits k_limits{.steps = 100'000, .heap_kib = 16 * 1024};
constexpr size_t k_longest_line = 16'384;
constexpr size_t k_most_lines = 200'000;

constexpr std::string_view k_groups[] = {"file", "line", "rule", "message", "severity", "type"};

Result<FindingPattern> FindingPattern::compile(const std::string& expression)
{
  // Alternatives of one pattern may each have a group of the same name.
  Result<Pattern> pattern = Pattern::compile(expression, {.same_names = true, .limits = k_limits});
  if (!pattern) {
    return Error{ErrorKind::bad_data,
                 format("not a regular expression: {}", pattern.error().message)};
  }
  const std::vector<std::string> names = pattern->group_names();
  const std::vector<std::string> known(std::begin(k_groups), std::end(k_groups));
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) == known.end()) {
      return Error{ErrorKind::bad_data,
                   format("unknown group `{}`{}", name, catalog::hint_for(name, known))};
    }
  }
  if (std::ranges::find(names, "message") == names.end() &&
      std::ranges::find(names, "rule") == names.end()) {
    return Error{ErrorKind::bad_data, "a pattern needs a group (?<message>…) or (?<rule>…)"};
  }
  return FindingPattern(*std::move(pattern));
}

void FindingPattern::find(std::string_view line, std::vector<ToolFinding>& into) const
{
  m_pattern.find(line, [&into](const Pattern::Match& match) {
    if (into.size() >= k_most_findings) {
      return false;
    }
    ToolFinding finding;
    finding.file = match.group("file").substr(0, k_longest_name);
    finding.rule = match.group("rule").substr(0, k_longest_name);
    finding.message = match.group("message").substr(0, k_longest_message);
    finding.severity = match.group("severity").substr(0, k_longest_name);
    finding.type = match.group("type").substr(0, k_longest_name);
    const std::string number = match.group("line");
    std::from_chars(number.data(), number.data() + number.size(), finding.line);
    if (finding.rule.empty()) {
      finding.rule = finding.message.substr(0, k_longest_name);
    } else if (finding.message.empty()) {
      finding.message = finding.rule;
    }
    into.push_back(std::move(finding));
    return true;
  });
}

std::vector<ReadLine> read_lines(std::string_view text,
                                 const std::vector<std::string>& patterns,
                                 std::vector<ToolFinding>& findings)
{
  std::vector<FindingPattern> compiled;
  for (const std::string& pattern : patterns) {
    Result<FindingPattern> made = FindingPattern::compile(pattern);
    FL_ASSERT(made.has_value(), "patterns were checked when the tool was loaded");
    compiled.push_back(*std::move(made));
  }
  std::vector<ReadLine> lines;
  while (!text.empty() && lines.size() < k_most_lines && findings.size() < k_most_findings) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, std::min(end, k_longest_line));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) {
      line.remove_suffix(1);
    }
    ReadLine read{line, std::nullopt};
    const size_t before = findings.size();
    for (size_t i = 0; i < compiled.size() && !read.pattern; ++i) {
      compiled[i].find(line, findings);
      read.pattern = findings.size() > before ? std::optional(i) : std::nullopt;
    }
    lines.push_back(read);
  }
  return lines;
}

ToolOutput read_text_output(std::string_view text, const std::vector<std::string>& patterns)
{
  ToolOutput output;
  for (const ReadLine& line : read_lines(text, patterns, output.findings)) {
    output.matched += line.pattern ? 1 : 0;
    output.unmatched += !line.pattern && !trim(line.text).empty() ? 1 : 0;
  }
  return output;
}

} // namespace faultline::evaluate
