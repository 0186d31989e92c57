#include "base/format.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/operator_pages.hpp"
#include "cli/write_pages.hpp"
#include "inject/selection.hpp"
#include "report/text_table.hpp"
#include "rules/rule.hpp"

#include <algorithm>

namespace faultline::cli {

namespace {

struct Options {
  std::vector<std::string> levels;
  std::string docs;
  bool json = false;
};

// "share: 0.1 … 0.99"; a list of a dozen values belongs on the operator's page.
std::string short_setting(const inject::Operator& op)
{
  const auto& values = op.setting.values;
  return values.size() > 3 ? format("{}: {} … {}", op.setting.name, values.front(), values.back())
                           : describe_setting(op);
}

Result<int> run(Session& session, const Options& options)
{
  if (!options.docs.empty()) {
    return write_pages(options.docs, operator_pages(), session);
  }
  FL_TRY(const std::vector<const inject::Operator*> chosen,
         inject::select_operators(options.levels.empty() ? std::vector<std::string>{"all"}
                                                         : options.levels));
  if (options.json) {
    Json json = Json::array();
    for (const inject::Operator* op : chosen) {
      json.push_back(operator_json(*op));
    }
    session.print_json(json);
    return k_exit_ok;
  }
  report::TextTable table({{"CODE", report::Align::left, Colour::bold},
                           {"ACRONYM"},
                           {"NAME"},
                           {"LEVEL"},
                           {"FAULT TYPE"},
                           {"SETTING"},
                           {"SUMMARY", report::Align::left, Colour::dim}});
  for (const inject::Operator* op : chosen) {
    // The last step of a type says enough in a table.
    const std::string_view type = op->type.id();
    table.add({std::string(op->code),
               std::string(op->acronym),
               std::string(op->name),
               std::string(inject::name_of(op->level)),
               std::string(type.substr(type.rfind('/') + 1)),
               short_setting(*op),
               std::string(op->summary)});
  }
  session.print(table.print(session.out(), session.width()));
  session.print(format("\n{}.\n", count_of(chosen.size(), "operator")));
  return k_exit_ok;
}

} // namespace

Action declare_operators(Arguments& arguments, Session& session)
{
  auto options = std::make_shared<Options>();
  arguments
      .option("--level",
              options->levels,
              "only source, dl or weights, or anything that --operator takes")
      .separated_by(',')
      .repeated()
      .named("NAME");
  arguments.flag("--json", options->json, "print JSON");
  arguments
      .option("--write-docs",
              options->docs,
              "write a page for each operator and an index to this folder")
      .named("FOLDER");
  return [options, &session] { return run(session, *options); };
}

} // namespace faultline::cli
