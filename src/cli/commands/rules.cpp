#include "base/format.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/rule_pages.hpp"
#include "cli/write_pages.hpp"
#include "report/text_table.hpp"
#include "rules/selection.hpp"

#include <algorithm>

namespace faultline::cli {

namespace {

struct Options {
  std::vector<std::string> groups;
  std::string docs;
  bool json = false;
};

Result<int> run(Session& session, const Options& options)
{
  if (!options.docs.empty()) {
    return write_pages(options.docs, rule_pages(), session);
  }
  for (const std::string& word : options.groups) {
    FL_CHECK(rules::check_word(word));
  }
  std::vector<const rules::Rule*> chosen;
  for (const rules::Rule* rule : rules::all_rules()) {
    if (options.groups.empty() || std::ranges::any_of(options.groups, [rule](const std::string& w) {
          return rules::matches(*rule, w);
        })) {
      chosen.push_back(rule);
    }
  }
  if (options.json) {
    Json json = Json::array();
    for (const rules::Rule* rule : chosen) {
      json.push_back(rule_json(*rule));
    }
    session.print_json(json);
    return k_exit_ok;
  }
  report::TextTable table({{"CODE", report::Align::left, Colour::bold},
                           {"NAME"},
                           {"SEVERITY"},
                           {"CONFIDENCE"},
                           {"APPLIES TO"},
                           {"ON"},
                           {"SUMMARY", report::Align::left, Colour::dim}});
  size_t on = 0;
  for (const rules::Rule* rule : chosen) {
    const bool is_on = rules::is_default(*rule);
    on += is_on ? 1 : 0;
    table.add({std::string(rule->code),
               std::string(rule->name),
               std::string(name_of(rule->severity)),
               std::string(name_of(rule->confidence)),
               std::string(rule->applies),
               is_on ? "on" : "off",
               std::string(rule->summary)});
  }
  session.print(table.print(session.out(), session.width()));
  session.print(format("\n{}, {} on by default.\n", count_of(chosen.size(), "rule"), on));
  return k_exit_ok;
}

} // namespace

Action declare_rules(Arguments& arguments, Session& session)
{
  auto options = std::make_shared<Options>();
  arguments.option("--group", options->groups, "only this group, or anything that --select takes")
      .separated_by(',')
      .repeated()
      .named("NAME");
  arguments.flag("--json", options->json, "print JSON");
  arguments
      .option(
          "--write-docs", options->docs, "write a page for each rule and an index to this folder")
      .named("FOLDER");
  return [options, &session] { return run(session, *options); };
}

} // namespace faultline::cli
