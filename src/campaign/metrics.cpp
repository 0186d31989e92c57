#include "campaign/metrics.hpp"

#include "base/format.hpp"
#include "base/json.hpp"
#include "base/text.hpp"

#include <cstdlib>

namespace faultline::campaign {

std::optional<std::string> last_match(const Pattern& pattern, std::string_view text)
{
  const std::vector<std::string_view> lines = split_lines(text);
  std::optional<std::string> last;
  // From the end: most programs print what counts last.
  for (size_t i = lines.size(); i > 0 && !last; --i) {
    pattern.find(lines[i - 1], [&last](const Pattern::Match& match) {
      if (const std::optional<std::string_view> found = match.group(1)) {
        last = *found;
      }
      return true;
    });
  }
  return last;
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
      const std::optional<std::string> text = pattern ? last_match(*pattern, log) : std::nullopt;
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
