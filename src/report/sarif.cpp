#include "report/sarif.hpp"

#include "base/format.hpp"

#include <algorithm>

namespace faultline::report {

// A path as a URI reference: letters, digits and the signs that stand for themselves are kept.
static std::string uri_of(const std::string& path)
{
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') ||
                          std::string_view("/-._~").find(c) != std::string_view::npos;
    uri += is_plain ? std::string(1, c) : format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

static std::string_view level_of(source::Severity severity)
{
  return severity == source::Severity::info ? "note" : name_of(severity);
}

static Json region_json(const source::Place& place)
{
  return {{"startLine", place.line},
          {"startColumn", place.column},
          {"endLine", place.end_line},
          {"endColumn", place.end_column}};
}

// Regions are those of the file on disk; the cell of a notebook is a logical location.
static Json location_json(const source::Place& place, const source::FileSet& files)
{
  Json json;
  json["physicalLocation"] = {{"artifactLocation", {{"uri", uri_of(place.file)}}},
                              {"region", region_json(files.place_on_disk(place))}};
  if (place.cell > 0) {
    json["logicalLocations"] =
        Json::array({{{"name", format("cell {}, line {}", place.cell, place.line)}}});
  }
  return json;
}

// What to write between the quotes of a notebook's JSON.
static std::string inserted_text(const std::string& text, bool in_notebook)
{
  if (!in_notebook) {
    return text;
  }
  const std::string quoted = print_json_compact(Json(text));
  return quoted.substr(1, quoted.size() - 2);
}

static Json fix_json(const source::Fix& fix, const source::FileSet& files)
{
  Json changes = Json::array();
  for (const auto& [file, edits] : fix.edits) {
    Json replacements = Json::array();
    for (const source::Edit& edit : edits) {
      Json replacement;
      replacement["deletedRegion"] = region_json(files.place_on_disk(file, edit.begin, edit.end));
      replacement["insertedContent"] = {
          {"text", inserted_text(edit.text, files.notebook(file) != nullptr)}};
      replacements.push_back(std::move(replacement));
    }
    changes.push_back(
        {{"artifactLocation", {{"uri", uri_of(file)}}}, {"replacements", std::move(replacements)}});
  }
  return {{"description", {{"text", fix.description}}}, {"artifactChanges", std::move(changes)}};
}

static Json rule_json(const SarifRule& rule)
{
  Json json;
  json["id"] = rule.code;
  json["name"] = rule.name;
  json["shortDescription"] = {{"text", rule.summary}};
  json["help"] = {{"text", rule.help}, {"markdown", rule.help}};
  json["defaultConfiguration"] = {{"level", level_of(rule.severity)}};
  json["properties"] = {{"precision", name_of(rule.confidence)}, {"tags", rule.tags}};
  return json;
}

static Json
result_json(const source::Finding& finding, const SarifRun& run, const source::FileSet& files)
{
  Json json;
  json["ruleId"] = finding.rule;
  const auto rule = std::ranges::find(run.rules, finding.rule, &SarifRule::code);
  if (rule != run.rules.end()) {
    json["ruleIndex"] = rule - run.rules.begin();
  }
  json["level"] = level_of(finding.severity);
  const std::string help = finding.help.empty() ? "" : format("\nhelp: {}", finding.help);
  json["message"] = {{"text", finding.message + help}};
  json["locations"] = Json::array({location_json(finding.place, files)});
  for (const source::Note& note : finding.notes) {
    if (note.place) {
      Json related = location_json(*note.place, files);
      related["message"] = {{"text", note.text}};
      json["relatedLocations"].push_back(std::move(related));
    }
  }
  if (finding.fix) {
    json["fixes"] = Json::array({fix_json(*finding.fix, files)});
  }
  json["properties"] = {{"confidence", name_of(finding.confidence)},
                        {"type", finding.type},
                        {"fix_pattern", finding.fix_pattern}};
  return json;
}

Json sarif(const SarifRun& run, const source::FileSet& files)
{
  Json driver = {{"name", "faultline"}, {"version", run.version}, {"rules", Json::array()}};
  for (const SarifRule& rule : run.rules) {
    driver["rules"].push_back(rule_json(rule));
  }
  Json results = Json::array();
  for (const source::Finding& finding : run.findings) {
    results.push_back(result_json(finding, run, files));
  }
  Json notifications = Json::array();
  for (const auto& [file, reason] : run.unreadable) {
    Json location = {{"physicalLocation", {{"artifactLocation", {{"uri", uri_of(file)}}}}}};
    notifications.push_back({{"level", "error"},
                             {"message", {{"text", reason}}},
                             {"locations", Json::array({std::move(location)})}});
  }
  Json invocation = {{"executionSuccessful", run.unreadable.empty()}};
  if (!notifications.empty()) {
    invocation["toolExecutionNotifications"] = std::move(notifications);
  }
  Json json;
  json["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  json["version"] = "2.1.0";
  json["runs"] = Json::array({{{"tool", {{"driver", std::move(driver)}}},
                               {"columnKind", "unicodeCodePoints"},
                               {"invocations", Json::array({std::move(invocation)})},
                               {"results", std::move(results)}}});
  return json;
}

} // namespace faultline::report
