#include "proof/test_report.hpp"

#include "base/format.hpp"
#include "base/json.hpp"

#include <cstdlib>

namespace faultline::proof {

// A report is a line of text; anything longer was not written by a test.
constexpr size_t k_longest_report = 64UL * 1024;

static Error malformed()
{
  return Error{ErrorKind::bad_data, "the test's report cannot be read"};
}

// Numbers travel as text, since JSON knows neither NaN nor infinities.
static std::optional<double> read_number(const Json& json)
{
  if (!json.is_string()) {
    return std::nullopt;
  }
  const std::string& text = json.get_ref<const std::string&>();
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return text.empty() || end != text.c_str() + text.size() ? std::nullopt : std::optional(value);
}

Result<TestReport> read_report(std::string_view text)
{
  if (text.empty()) {
    return Error{ErrorKind::not_found, "the test ended without a report"};
  }
  if (text.size() > k_longest_report) {
    return malformed();
  }
  const Json json = parse_json(text); // one value, so a second report is refused
  if (!json.is_object() || !json.contains("verdict") || !json.contains("message") ||
      !json.contains("checks") || !json.contains("metrics") || json.size() != 4) {
    return malformed();
  }
  const Json& verdict = json["verdict"];
  if ((verdict != "pass" && verdict != "fail") || !json["message"].is_string() ||
      !json["checks"].is_number_unsigned() || !json["metrics"].is_object()) {
    return malformed();
  }
  TestReport report;
  report.passed = verdict == "pass";
  report.message = json["message"].get<std::string>();
  report.checks = json["checks"].get<size_t>();
  for (const auto& [name, number] : json["metrics"].items()) {
    const std::optional<double> value = read_number(number);
    if (!value) {
      return malformed();
    }
    report.metrics[name] = *value;
  }
  return report;
}

} // namespace faultline::proof
