#include "campaign/metrics.hpp"

#include "base/format.hpp"
#include "base/json.hpp"
#include "base/text.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <cstdlib>

namespace faultline::campaign {

// Enough for any pattern that a person writes for a line of a log; a pattern that backtracks
// without end stops here and counts as not matching.
constexpr uint32_t k_most_steps = 1'000'000;
constexpr uint32_t k_most_heap_kib = 64 * 1024;

void Pattern::Free::operator()(pcre2_real_code_8* code) const
{
  pcre2_code_free(code);
}

Result<Pattern> Pattern::compile(const std::string& expression)
{
  int number = 0;
  PCRE2_SIZE offset = 0;
  const auto* bytes = reinterpret_cast<PCRE2_SPTR>(expression.data());
  pcre2_code* code = pcre2_compile(bytes, expression.size(), 0, &number, &offset, nullptr);
  if (code == nullptr) {
    PCRE2_UCHAR message[256] = {};
    pcre2_get_error_message(number, message, sizeof message);
    return Error{ErrorKind::bad_data,
                 format("{} at character {}", reinterpret_cast<const char*>(message), offset + 1)};
  }
  return Pattern(code);
}

int Pattern::groups() const
{
  uint32_t count = 0;
  pcre2_pattern_info(m_code.get(), PCRE2_INFO_CAPTURECOUNT, &count);
  return static_cast<int>(count);
}

namespace {

// What matching needs beside the pattern, made once per text.
class Matcher {
public:
  explicit Matcher(const pcre2_code* code)
      : m_code(code), m_data(pcre2_match_data_create_from_pattern(code, nullptr)),
        m_context(pcre2_match_context_create(nullptr))
  {
    pcre2_set_match_limit(m_context, k_most_steps);
    pcre2_set_heap_limit(m_context, k_most_heap_kib);
  }
  Matcher(const Matcher&) = delete;
  Matcher& operator=(const Matcher&) = delete;
  ~Matcher()
  {
    pcre2_match_data_free(m_data);
    pcre2_match_context_free(m_context);
  }

  std::optional<std::string> last_in_line(std::string_view line)
  {
    std::optional<std::string> last;
    const auto* bytes = reinterpret_cast<PCRE2_SPTR>(line.data());
    size_t from = 0;
    while (from <= line.size() &&
           pcre2_match(m_code, bytes, line.size(), from, 0, m_data, m_context) > 0) {
      const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(m_data);
      if (ends[2] != PCRE2_UNSET) {
        last = line.substr(ends[2], ends[3] - ends[2]);
      }
      // A match of nothing must not be found again at the same place.
      from = std::max(ends[1], from) + (ends[1] <= from ? 1 : 0);
    }
    return last;
  }

private:
  const pcre2_code* m_code;
  pcre2_match_data* m_data;
  pcre2_match_context* m_context;
};

} // namespace

std::optional<std::string> Pattern::last_match(std::string_view text) const
{
  Matcher matcher(m_code.get());
  const std::vector<std::string_view> lines = split_lines(text);
  // From the end: most programs print what counts last.
  for (size_t i = lines.size(); i > 0; --i) {
    std::string_view line = lines[i - 1];
    if (line.empty()) {
      line = "";
    }
    if (std::optional<std::string> found = matcher.last_in_line(line)) {
      return found;
    }
  }
  return std::nullopt;
}

std::optional<double> parse_number(std::string_view text)
{
  const std::string word(trim(text));
  if (word.empty()) {
    return std::nullopt;
  }
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (end != word.c_str() + word.size()) {
    return std::nullopt;
  }
  return value;
}

// Python writes NaN, Infinity and -Infinity, which are not JSON: make them strings, which
// `parse_number` reads.
static std::string quote_special_numbers(std::string_view text)
{
  std::string made;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (in_string && text[i] == '\\' && i + 1 < text.size()) {
      made += text[i];
      made += text[++i];
      continue;
    }
    if (text[i] == '"') {
      in_string = !in_string;
    }
    std::string_view word;
    for (const std::string_view special : {"-Infinity", "Infinity", "NaN"}) {
      if (!in_string && text.substr(i).starts_with(special)) {
        word = special;
        break;
      }
    }
    if (word.empty()) {
      made += text[i];
    } else {
      made += '"';
      made += word;
      made += '"';
      i += word.size() - 1;
    }
  }
  return made;
}

static std::optional<double> number_in(const Json& json)
{
  if (json.is_number()) {
    return json.get<double>();
  }
  return json.is_string() ? parse_number(json.get_ref<const std::string&>()) : std::nullopt;
}

// "test.accuracy" is a key of its own or the key of a table in a table.
static std::optional<double> find_key(const Json& json, std::string_view key)
{
  if (!json.is_object()) {
    return std::nullopt;
  }
  if (const auto found = json.find(std::string(key)); found != json.end()) {
    return number_in(*found);
  }
  const size_t dot = key.find('.');
  if (dot == std::string_view::npos) {
    return std::nullopt;
  }
  const auto inner = json.find(std::string(key.substr(0, dot)));
  return inner == json.end() ? std::nullopt : find_key(*inner, key.substr(dot + 1));
}

std::map<std::string, double> read_metrics(const Spec& spec,
                                           std::string_view log,
                                           const std::map<std::string, std::string>& written)
{
  std::map<std::string, double> values;
  for (const Metric& metric : spec.metrics) {
    std::optional<double> value;
    if (!metric.pattern.empty()) {
      const Result<Pattern> pattern = Pattern::compile(metric.pattern);
      const std::optional<std::string> text = pattern ? pattern->last_match(log) : std::nullopt;
      value = text ? parse_number(*text) : std::nullopt;
    } else if (const auto found = written.find(metric.json); found != written.end()) {
      value = find_key(parse_json(quote_special_numbers(found->second)), metric.key);
    }
    if (value) {
      values[metric.name] = *value;
    }
  }
  return values;
}

} // namespace faultline::campaign
