#include "cli/check_report.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "report/finding_json.hpp"
#include "report/finding_text.hpp"
#include "report/github.hpp"
#include "report/readable_page.hpp"
#include "report/sarif.hpp"
#include "report/text_table.hpp"
#include "rules/rule.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace faultline::cli {

namespace {

using source::Finding;
using source::Severity;

size_t count(const std::vector<Finding>& findings, Severity severity)
{
  return static_cast<size_t>(std::ranges::count(findings, severity, &Finding::severity));
}

// "2 errors, 1 warning and 1 note".
std::string counted(const std::vector<Finding>& findings)
{
  std::vector<std::string> parts;
  for (const auto& [severity, noun] : {std::pair(Severity::error, "error"),
                                       std::pair(Severity::warning, "warning"),
                                       std::pair(Severity::info, "note")}) {
    if (const size_t n = count(findings, severity); n > 0) {
      parts.push_back(count_of(n, noun));
    }
  }
  if (parts.size() == 1) {
    return parts.front();
  }
  const std::string last = parts.back();
  parts.pop_back();
  return join(parts, ", ") + " and " + last;
}

std::string last_line(const check::Report& report, const std::vector<Finding>& shown)
{
  const size_t hidden = report.findings.size() - shown.size();
  const std::string hint =
      hidden == 0 ? ""
                  : format(" {} not shown (`--severity info` shows all).",
                           count_of(hidden, "milder finding") + (hidden == 1 ? " is" : " are"));
  if (shown.empty()) {
    return "No findings." + hint + "\n";
  }
  std::set<std::string> files;
  for (const Finding& finding : shown) {
    files.insert(finding.place.file);
  }
  return format("{} in {}. Run `faultline explain {}` to read about {}.{}\n",
                counted(shown),
                count_of(files.size(), "file"),
                shown.front().rule,
                shown.size() == 1 ? "it" : "the first",
                hint);
}

struct RuleCount {
  size_t findings = 0;
  size_t fixable = 0;
};

std::map<std::string, RuleCount> by_rule(const std::vector<Finding>& findings)
{
  std::map<std::string, RuleCount> counts;
  for (const Finding& finding : findings) {
    RuleCount& entry = counts[finding.rule];
    ++entry.findings;
    entry.fixable += finding.fix ? 1 : 0;
  }
  return counts;
}

std::string statistics_table(const std::vector<Finding>& shown, const Painter& paint)
{
  report::TextTable table({{"FINDINGS", report::Align::right},
                           {"FIXABLE", report::Align::right},
                           {"RULE", report::Align::left, Colour::bold},
                           {"SEVERITY"},
                           {"NAME"}});
  for (const auto& [code, entry] : by_rule(shown)) {
    const rules::Rule& rule = *rules::find_rule(code);
    table.add({format("{}", entry.findings),
               format("{}", entry.fixable),
               code,
               std::string(name_of(rule.severity)),
               std::string(rule.name)});
  }
  return table.empty() ? "" : table.print(paint) + "\n";
}

std::string render_text(const check::Report& report,
                        const std::vector<Finding>& shown,
                        const CheckOptions& options,
                        const Painter& paint)
{
  std::string text;
  for (const Finding& finding : shown) {
    text += report::finding_text(finding, report.files, paint) + "\n";
  }
  if (options.statistics) {
    text += statistics_table(shown, paint);
  }
  return text + last_line(report, shown);
}

Json findings_json(const check::Report& report, const std::vector<Finding>& shown)
{
  Json json = Json::array();
  for (const Finding& finding : shown) {
    json.push_back(report::finding_json(finding, report.files));
  }
  return json;
}

Json statistics_json(const check::Report& report, const std::vector<Finding>& shown)
{
  Json json;
  json["findings"] = findings_json(report, shown);
  json["files"] = {{"analysed", report.analysed},
                   {"partly", report.partly.size()},
                   {"unreadable", report.unreadable.size()}};
  json["seconds"] = report.seconds;
  json["by_rule"] = Json::object();
  for (const auto& [code, entry] : by_rule(shown)) {
    json["by_rule"][code] = entry.findings;
  }
  json["not_understood"] = Json::array();
  for (const check::Gap& gap : report.partly) {
    Json& entry = json["not_understood"].emplace_back();
    entry["file"] = gap.place.file;
    if (gap.place.cell > 0) {
      entry["cell"] = gap.place.cell;
    }
    entry["line"] = gap.place.line;
    entry["column"] = gap.place.column;
    entry["what"] = gap.what;
  }
  json["unreadable"] = Json::array();
  for (const check::Unreadable& file : report.unreadable) {
    json["unreadable"].push_back(
        {{"file", file.path}, {"reason", file.reason}, {"failed", file.failed}});
  }
  return json;
}

Json sarif_of(const check::Report& report, const std::vector<Finding>& shown)
{
  report::SarifRun run;
  run.version = FL_VERSION;
  run.findings = shown;
  for (const auto& [code, entry] : by_rule(shown)) {
    const rules::Rule& rule = *rules::find_rule(code);
    std::vector<std::string> tags = {std::string(rules::group_of(rule))};
    for (const std::string_view framework : split(rule.applies, ' ')) {
      tags.emplace_back(framework);
    }
    run.rules.push_back({code,
                         std::string(rule.name),
                         std::string(rule.summary),
                         report::readable_page(rules::documentation_of(rule)),
                         rule.severity,
                         rule.confidence,
                         std::move(tags)});
  }
  for (const check::Unreadable& file : report.unreadable) {
    run.unreadable.emplace_back(file.path, file.reason);
  }
  return report::sarif(run, report.files);
}

} // namespace

std::string render(const check::Report& report,
                   const std::vector<Finding>& shown,
                   const CheckOptions& options,
                   const Painter& paint)
{
  if (options.format == "json") {
    return print_json(options.statistics ? statistics_json(report, shown)
                                         : findings_json(report, shown));
  }
  if (options.format == "sarif") {
    return print_json(sarif_of(report, shown));
  }
  if (options.format == "github") {
    std::string text;
    for (const Finding& finding : shown) {
      text += report::github_annotation(finding, report.files);
    }
    return text;
  }
  return render_text(report, shown, options, paint);
}

std::string coverage_line(const check::Report& report)
{
  std::string text = count_of(report.analysed, "file") + " analysed";
  if (!report.partly.empty()) {
    const check::Gap& first = report.partly.front();
    text +=
        format(", {} partly ({}{} at {})",
               report.analysed == 1 ? "but only" : format("{} of them only", report.partly.size()),
               report.analysed == 1 ? "" : "first: ",
               first.what,
               report::print_place(first.place));
  }
  const auto failed =
      static_cast<size_t>(std::ranges::count_if(report.unreadable, &check::Unreadable::failed));
  if (const size_t unreadable = report.unreadable.size() - failed; unreadable > 0) {
    text += format(", {} unreadable", unreadable);
  }
  if (failed > 0) {
    text += format(", {} failed", failed);
  }
  return text + ".";
}

} // namespace faultline::cli
