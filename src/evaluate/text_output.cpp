#include "evaluate/text_output.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "catalog/filter.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <charconv>

namespace faultline::evaluate {

// Enough for any line that a person reads; what goes beyond counts as not matching.
constexpr uint32_t k_most_steps = 100'000;
constexpr uint32_t k_most_heap_kib = 16 * 1024;
constexpr size_t k_longest_line = 16'384;
constexpr size_t k_most_lines = 200'000;

constexpr std::string_view k_groups[] = {"file", "line", "rule", "message", "severity", "type"};

void FindingPattern::Free::operator()(pcre2_real_code_8* code) const
{
  pcre2_code_free(code);
}

// The names of the groups, each entry two bytes of number and the name.
static std::vector<std::string> names_of(const pcre2_code* code)
{
  uint32_t count = 0;
  uint32_t size = 0;
  PCRE2_SPTR table = nullptr;
  pcre2_pattern_info(code, PCRE2_INFO_NAMECOUNT, &count);
  pcre2_pattern_info(code, PCRE2_INFO_NAMEENTRYSIZE, &size);
  pcre2_pattern_info(code, PCRE2_INFO_NAMETABLE, &table);
  std::vector<std::string> names;
  for (uint32_t i = 0; i < count; ++i) {
    names.emplace_back(reinterpret_cast<const char*>(table + size_t{i} * size + 2));
  }
  return names;
}

Result<FindingPattern> FindingPattern::compile(const std::string& expression)
{
  int number = 0;
  PCRE2_SIZE offset = 0;
  const auto* bytes = reinterpret_cast<PCRE2_SPTR>(expression.data());
  // Alternatives of one pattern may each have a group of the same name.
  pcre2_code* code =
      pcre2_compile(bytes, expression.size(), PCRE2_DUPNAMES, &number, &offset, nullptr);
  if (code == nullptr) {
    PCRE2_UCHAR message[256] = {};
    pcre2_get_error_message(number, message, sizeof message);
    return Error{ErrorKind::bad_data,
                 format("not a regular expression: {} at character {}",
                        reinterpret_cast<const char*>(message),
                        offset + 1)};
  }
  FindingPattern pattern(code);
  const std::vector<std::string> names = names_of(code);
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
  return pattern;
}

namespace {

// What matching needs beside the pattern.
struct Match {
  pcre2_match_data* data;
  pcre2_match_context* context;

  explicit Match(const pcre2_code* code)
      : data(pcre2_match_data_create_from_pattern(code, nullptr)),
        context(pcre2_match_context_create(nullptr))
  {
    pcre2_set_match_limit(context, k_most_steps);
    pcre2_set_heap_limit(context, k_most_heap_kib);
  }
  Match(const Match&) = delete;
  Match& operator=(const Match&) = delete;
  ~Match()
  {
    pcre2_match_data_free(data);
    pcre2_match_context_free(context);
  }

  std::string group(const char* name) const
  {
    PCRE2_UCHAR* text = nullptr;
    PCRE2_SIZE length = 0;
    if (pcre2_substring_get_byname(data, reinterpret_cast<PCRE2_SPTR>(name), &text, &length) != 0) {
      return {};
    }
    std::string value(reinterpret_cast<const char*>(text), length);
    pcre2_substring_free(text);
    return value;
  }
};

} // namespace

void FindingPattern::find(std::string_view line, std::vector<ToolFinding>& into) const
{
  const Match match(m_code.get());
  const auto* bytes = reinterpret_cast<PCRE2_SPTR>(line.data());
  size_t from = 0;
  while (from <= line.size() && into.size() < k_most_findings &&
         pcre2_match(m_code.get(), bytes, line.size(), from, 0, match.data, match.context) > 0) {
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
    const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(match.data);
    // A match of nothing must not be found again at the same place.
    from = std::max(ends[1], from) + (ends[1] <= from ? 1 : 0);
  }
}

ToolOutput read_text_output(std::string_view text, const std::vector<std::string>& patterns)
{
  ToolOutput output;
  std::vector<FindingPattern> compiled;
  for (const std::string& pattern : patterns) {
    Result<FindingPattern> made = FindingPattern::compile(pattern);
    FL_ASSERT(made.has_value(), "patterns were checked when the tool was loaded");
    compiled.push_back(*std::move(made));
  }
  size_t lines = 0;
  while (!text.empty() && lines++ < k_most_lines && output.findings.size() < k_most_findings) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, std::min(end, k_longest_line));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) {
      line.remove_suffix(1);
    }
    const size_t before = output.findings.size();
    for (const FindingPattern& pattern : compiled) {
      pattern.find(line, output.findings);
      if (output.findings.size() > before) {
        break;
      }
    }
  }
  return output;
}

} // namespace faultline::evaluate
