#include "base/format.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/rule_pages.hpp"
#include "report/text_table.hpp"
#include "rules/selection.hpp"

#include <algorithm>
#include <cctype>

namespace faultline::cli {

namespace fs = std::filesystem;

namespace {

struct Options {
  std::vector<std::string> groups;
  std::string docs;
  bool json = false;
};

// "DL213.md": a page that this command wrote, maybe for a rule that is gone.
bool is_page(const std::string& name)
{
  const auto is = [&name](size_t i, int (*kind)(int)) {
    return kind(static_cast<unsigned char>(name[i])) != 0;
  };
  return name.size() == 8 && name.ends_with(".md") && is(0, std::isupper) && is(1, std::isupper) &&
         is(2, std::isdigit) && is(3, std::isdigit) && is(4, std::isdigit);
}

Result<int> write_docs(const fs::path& folder, const Session& session)
{
  const FileTree pages = rule_pages();
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    const std::string name = entry.path().filename().string();
    if (is_page(name) && !pages.contains(name)) {
      fs::remove(entry.path(), code);
    }
  }
  FL_CHECK(write_tree(folder, pages));
  session.print(count_of(pages.size(), "page") + " written to " + folder.string() + ".\n");
  return k_exit_ok;
}

Result<int> run(Session& session, const Options& options)
{
  if (!options.docs.empty()) {
    return write_docs(options.docs, session);
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

Action declare_rules(CLI::App& app, Session& session)
{
  auto options = std::make_shared<Options>();
  app.add_option("--group", options->groups, "only this group, or any word that --select takes")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME");
  app.add_flag("--json", options->json, "print JSON");
  app.add_option("--write-docs", options->docs, "write a page for each rule, and an index, there")
      ->type_name("FOLDER");
  return [options, &session] { return run(session, *options); };
}

} // namespace faultline::cli
