#include "evaluate/output.hpp"

#include "base/format.hpp"
#include "evaluate/text_output.hpp"
#include "evaluate/tool_json.hpp"

namespace faultline::evaluate {

ToolOutput read_json_output(std::string_view text, const JsonKeys& keys)
{
  const Result<Json> json = parse_tool_json(text);
  if (!json) {
    return {.findings = {}, .problem = json.error().message};
  }
  const Json* list = at_path(*json, keys.findings);
  if (list == nullptr || !list->is_array()) {
    return {.findings = {},
            .problem = keys.findings.empty()
                           ? std::string("JSON, but not a list")
                           : format("JSON without a list at `{}`", keys.findings)};
  }
  ToolOutput output;
  for (const Json& entry : *list) {
    if (!entry.is_object() || output.findings.size() >= k_most_findings) {
      ++output.unmatched;
      continue;
    }
    ++output.matched;
    const auto text_at = [&entry](const std::string& path, size_t most) {
      return path.empty() ? std::string() : text_of(at_path(entry, path)).substr(0, most);
    };
    ToolFinding finding;
    finding.rule = text_at(keys.rule, k_longest_name);
    finding.file = text_at(keys.file, k_longest_name);
    finding.line = keys.line.empty() ? 0 : line_of(at_path(entry, keys.line));
    finding.message = text_at(keys.message, k_longest_message);
    finding.type = text_at(keys.type, k_longest_name);
    finding.severity = text_at(keys.severity, k_longest_name);
    if (finding.rule.empty()) {
      finding.rule = finding.message.substr(0, k_longest_name);
    }
    output.findings.push_back(std::move(finding));
  }
  return output;
}

ToolOutput read_output(std::string_view text, const OutputSpec& spec)
{
  switch (spec.format) {
  case OutputFormat::sarif:
    return read_sarif_output(text);
  case OutputFormat::json:
    return read_json_output(text, spec.keys);
  case OutputFormat::text:
    return read_text_output(text, spec.patterns);
  }
  return {};
}

} // namespace faultline::evaluate
