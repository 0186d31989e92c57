#include "evaluate/output.hpp"
#include "evaluate/tool_json.hpp"

#include <charconv>
#include <map>

namespace faultline::evaluate {

namespace {

// "%20" as the byte that it stands for.
std::string percent_decoded(std::string_view text)
{
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16).ptr ==
            text.data() + i + 3) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

// The driver's descriptions of its rules.
struct Rules {
  const Json* list = nullptr;
  std::map<std::string, const Json*> by_id;

  explicit Rules(const Json& run) : list(at_path(run, "tool.driver.rules"))
  {
    if (list != nullptr && list->is_array()) {
      for (const Json& rule : *list) {
        by_id.emplace(text_of(at_path(rule, "id")), &rule);
      }
    }
  }

  // By index or by id; null if it is not described.
  const Json* of(const Json& result) const
  {
    const Json* index = at_path(result, "ruleIndex");
    if (index != nullptr && index->is_number_unsigned() && list != nullptr && list->is_array() &&
        index->get<size_t>() < list->size()) {
      return &(*list)[index->get<size_t>()];
    }
    const auto found = by_id.find(text_of(at_path(result, "ruleId")));
    return found == by_id.end() ? nullptr : found->second;
  }
};

std::string file_of(const Json& run, const Json& location)
{
  const std::string uri = text_of(at_path(location, "physicalLocation.artifactLocation.uri"));
  if (!uri.empty()) {
    return percent_decoded(uri).substr(0, k_longest_name);
  }
  const Json* index = at_path(location, "physicalLocation.artifactLocation.index");
  const Json* artifacts = at_path(run, "artifacts");
  if (index == nullptr || !index->is_number_unsigned() || artifacts == nullptr ||
      !artifacts->is_array() || index->get<size_t>() >= artifacts->size()) {
    return {};
  }
  return percent_decoded(text_of(at_path((*artifacts)[index->get<size_t>()], "location.uri")))
      .substr(0, k_longest_name);
}

// Passed, open or not applicable results and suppressed ones are no complaints.
bool complains(const Json& result)
{
  const std::string kind = text_of(at_path(result, "kind"));
  const Json* suppressions = at_path(result, "suppressions");
  return (kind.empty() || kind == "fail") &&
         (suppressions == nullptr || !suppressions->is_array() || suppressions->empty());
}

ToolFinding finding_of(const Json& run, const Rules& rules, const Json& result)
{
  ToolFinding finding;
  const Json* rule = rules.of(result);
  finding.rule = text_of(at_path(result, "ruleId"));
  if (finding.rule.empty() && rule != nullptr) {
    finding.rule = text_of(at_path(*rule, "id"));
  }
  finding.rule = finding.rule.substr(0, k_longest_name);
  finding.message = text_of(at_path(result, "message.text")).substr(0, k_longest_message);
  if (finding.rule.empty()) {
    finding.rule = finding.message.substr(0, k_longest_name);
  }
  finding.severity = text_of(at_path(result, "level")).substr(0, k_longest_name);
  if (finding.severity.empty() && rule != nullptr) {
    finding.severity =
        text_of(at_path(*rule, "defaultConfiguration.level")).substr(0, k_longest_name);
  }
  finding.type = text_of(at_path(result, "properties.type")).substr(0, k_longest_name);
  if (const Json* location = at_path(result, "locations.0")) {
    finding.file = file_of(run, *location);
    finding.line = line_of(at_path(*location, "physicalLocation.region.startLine"));
  }
  return finding;
}

} // namespace

ToolOutput read_sarif_output(std::string_view text)
{
  const Result<Json> json = parse_tool_json(text);
  if (!json) {
    return {{}, json.error().message};
  }
  const Json* runs = at_path(*json, "runs");
  if (!json->is_object() || runs == nullptr || !runs->is_array()) {
    return {{}, "JSON, but no SARIF: there is no list `runs`"};
  }
  ToolOutput output;
  for (const Json& run : *runs) {
    const Json* results = at_path(run, "results");
    if (results == nullptr || !results->is_array()) {
      continue;
    }
    const Rules rules(run);
    for (const Json& result : *results) {
      if (output.findings.size() < k_most_findings && result.is_object() && complains(result)) {
        output.findings.push_back(finding_of(run, rules, result));
      }
    }
  }
  return output;
}

} // namespace faultline::evaluate
