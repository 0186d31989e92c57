#include "cli/operator_pages.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "report/readable_page.hpp"
#include "rules/rule.hpp"

namespace faultline::cli {

static std::string_view name_of_search(inject::Search search)
{
  switch (search) {
  case inject::Search::none:
    return "none";
  case inject::Search::exhaustive:
    return "exhaustive";
  case inject::Search::binary:
    return "binary";
  }
  return {};
}

Json operator_json(const inject::Operator& op)
{
  Json json;
  json["code"] = op.code;
  json["name"] = op.name;
  json["acronym"] = op.acronym;
  json["level"] = inject::name_of(op.level);
  json["type"] = op.type.id();
  json["setting"] = nullptr;
  if (!op.setting.name.empty()) {
    json["setting"] = {{"name", op.setting.name},
                       {"values", op.setting.values},
                       {"search", name_of_search(op.setting.search)},
                       {"precision", op.setting.precision}};
  }
  json["summary"] = op.summary;
  return json;
}

std::string describe_setting(const inject::Operator& op)
{
  if (op.setting.name.empty()) {
    return {};
  }
  const std::vector<std::string> values(op.setting.values.begin(), op.setting.values.end());
  return format("{}: {}", op.setting.name, join(values, ", "));
}

// A table cell must not be empty, and bars in it must be escaped.
static std::string cell(std::string_view text)
{
  return text.empty() ? "–" : replace_all(std::string(text), "|", "\\|");
}

static std::string page_of(const inject::Operator& op)
{
  return format("# {}: {}\n\n"
                "{}.\n\n"
                "| level | acronym | setting | search | fault type |\n"
                "|---|---|---|---|---|\n"
                "| {} | {} | {} | {} | {} |\n\n"
                "{}",
                op.code,
                op.name,
                op.summary,
                inject::name_of(op.level),
                cell(op.acronym),
                cell(describe_setting(op)),
                name_of_search(op.setting.search),
                cell(op.type.id()),
                report::readable_page(inject::documentation_of(op)));
}

FileTree operator_pages()
{
  FileTree pages;
  std::string index =
      "# Operators of `faultline inject`\n\n"
      "Written by `faultline operators --write-docs docs/operators`; do not edit.\n";
  for (const inject::Level level :
       {inject::Level::source, inject::Level::dl, inject::Level::weights}) {
    std::string rows;
    for (const inject::Operator* op : inject::all_operators()) {
      if (op->level == level) {
        rows += format("| [{0}]({0}.md) | {1} | {2} | {3} | {4} | {5} |\n",
                       op->code,
                       op->name,
                       cell(op->acronym),
                       cell(describe_setting(*op)),
                       cell(op->type.id()),
                       cell(op->summary));
        pages[std::string(op->code) + ".md"] = page_of(*op);
      }
    }
    if (!rows.empty()) {
      index += format("\n## {}\n\n| code | name | acronym | setting | fault type | what |\n"
                      "|---|---|---|---|---|---|\n{}",
                      inject::name_of(level),
                      rows);
    }
  }
  pages["index.md"] = index;
  return pages;
}

} // namespace faultline::cli
