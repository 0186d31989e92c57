#include "cli/rule_pages.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "report/readable_page.hpp"
#include "rules/selection.hpp"

namespace faultline::cli {

Json rule_json(const rules::Rule& rule)
{
  Json json;
  json["code"] = rule.code;
  json["name"] = rule.name;
  json["group"] = rules::group_of(rule);
  json["severity"] = name_of(rule.severity);
  json["confidence"] = name_of(rule.confidence);
  json["applies"] = Json::array();
  for (const std::string_view framework : split(rule.applies, ' ')) {
    json["applies"].push_back(framework);
  }
  json["on"] = rules::is_default(rule);
  json["preview"] = rule.status == rules::Status::preview;
  json["summary"] = rule.summary;
  json["type"] = rule.type.id();
  json["fix_pattern"] = rule.fix_pattern.id();
  return json;
}

static std::string label_text(std::string_view label)
{
  return label.empty() ? "none" : format("`{}`", label);
}

static std::string page_of(const rules::Rule& rule)
{
  return format(
      "# {}: {}\n\n"
      "{}.\n\n"
      "| severity | confidence | applies to | by default | group | fault type | fix pattern |\n"
      "|---|---|---|---|---|---|---|\n"
      "| {} | {} | {} | {} | {} | {} | {} |\n\n"
      "{}",
      rule.code,
      rule.name,
      rule.summary,
      name_of(rule.severity),
      name_of(rule.confidence),
      rule.applies,
      rules::is_default(rule) ? "on" : "off",
      rules::group_of(rule),
      label_text(rule.type.id()),
      label_text(rule.fix_pattern.id()),
      report::readable_page(rules::documentation_of(rule)));
}

FileTree rule_pages()
{
  FileTree pages;
  std::string index = "# Rules of `faultline check`\n\n"
                      "Written by `faultline rules --write-docs docs/rules`; do not edit.\n";
  std::string_view group;
  for (const rules::Rule* rule : rules::all_rules()) {
    if (rules::group_of(*rule) != group) {
      group = rules::group_of(*rule);
      index += format(
          "\n## {}\n\n| code | name | severity | confidence | applies to | by default | what |\n"
          "|---|---|---|---|---|---|---|\n",
          group);
    }
    index += format("| [{0}]({0}.md) | {1} | {2} | {3} | {4} | {5} | {6} |\n",
                    rule->code,
                    rule->name,
                    name_of(rule->severity),
                    name_of(rule->confidence),
                    rule->applies,
                    rules::is_default(*rule) ? "on" : "off",
                    rule->summary);
    pages[std::string(rule->code) + ".md"] = page_of(*rule);
  }
  pages["index.md"] = index;
  return pages;
}

} // namespace faultline::cli
