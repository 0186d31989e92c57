#include "base/format.hpp"
#include "base/text.hpp"
#include "catalog/fault_json.hpp"
#include "catalog/similarity.hpp"
#include "cli/command.hpp"
#include "cli/filter_options.hpp"
#include "environment/built.hpp"
#include "report/text_table.hpp"

#include <algorithm>
#include <map>

namespace faultline::cli {

namespace {

struct Options {
  std::shared_ptr<FilterOptions> filter;
  std::string sort;
  bool reverse = false;
  bool json = false;
};

std::string sort_key(const catalog::Fault& fault, const std::string& key)
{
  if (key == "id") {
    return fault.id;
  }
  if (key == "title") {
    return fault.title;
  }
  if (key == "framework") {
    return fault.framework;
  }
  if (key == "split") {
    return fault.split;
  }
  return fault.parts.front().labels.get(replace_all(key, "-", "_"));
}

// The last step of a label's path.
std::string short_label(const std::string& label)
{
  return label.substr(label.rfind('/') + 1);
}

// Which environments that these faults name are to be built first, and how.
Result<std::string> unbuilt_for(const Session& session,
                                const std::vector<const catalog::Fault*>& faults)
{
  std::map<std::string, size_t> count;
  for (const catalog::Fault* fault : faults) {
    for (const std::string& name : fault->environments) {
      ++count[name];
    }
  }
  FL_TRY(const std::filesystem::path folder, session.described());
  FL_TRY(const std::vector<environment::Description> all, environment::load_descriptions(folder));
  FL_TRY(const std::filesystem::path kept, environment::environments_folder());
  std::string text;
  for (const auto& [name, faults_in] : count) {
    const environment::Description* one = environment::find(all, name);
    if (one != nullptr && one->driver != environment::k_system.name &&
        !environment::find_built(*one, kept)) {
      text += format("{} of them cannot run in {}, which is not built (faultline env build {}).\n",
                     faults_in,
                     name,
                     name);
    }
  }
  return text;
}

Result<int> run(Session& session, Options& options)
{
  FL_TRY(std::vector<const catalog::Fault*> faults, selected_faults(session, *options.filter));
  if (!options.sort.empty()) {
    std::ranges::stable_sort(faults, {}, [&options](const catalog::Fault* fault) {
      return sort_key(*fault, options.sort);
    });
  }
  if (options.reverse) {
    std::ranges::reverse(faults);
  }
  if (options.json) {
    FL_TRY(const catalog::Catalog* all, session.catalog());
    const catalog::Similarity similarity(*all);
    Json json = Json::array();
    for (const catalog::Fault* fault : faults) {
      json.push_back(catalog::summary_json(*fault, similarity.support(*fault)));
    }
    session.print_json(json);
    return k_exit_ok;
  }
  report::TextTable table({{"ID", report::Align::left, Colour::bold},
                           {"TYPE"},
                           {"SYMPTOM"},
                           {"FIX PATTERN"},
                           {"TITLE", report::Align::left, Colour::dim}});
  for (const catalog::Fault* fault : faults) {
    const catalog::Labels& labels = fault->parts.front().labels;
    const std::string more =
        fault->parts.size() > 1 ? format(" (+{})", fault->parts.size() - 1) : std::string();
    table.add({fault->id,
               short_label(labels.get("type")) + more,
               labels.get("symptom"),
               labels.get("fix_pattern"),
               (fault->withdrawn ? "[withdrawn] " : "") + fault->title});
  }
  if (!table.empty()) {
    session.print(table.print(session.out(), session.width()));
    session.print("\n");
  }
  session.print(count_of(faults.size(), "fault") + ".\n");
  FL_TRY(const std::string unbuilt, unbuilt_for(session, faults));
  session.print(unbuilt);
  return k_exit_ok;
}

} // namespace

Action declare_list(Arguments& arguments, Session& session)
{
  auto options = std::make_shared<Options>();
  options->filter = add_filter_options(arguments);
  arguments.option("--sort", options->sort, "sort by id, title, framework, split or a label scheme")
      .one_of({"id",
               "title",
               "framework",
               "split",
               "type",
               "category",
               "fix-pattern",
               "symptom",
               "property",
               "phase",
               "level"})
      .named("KEY");
  arguments.flag("--reverse", options->reverse, "reverse the order");
  arguments.flag("--json", options->json, "print JSON");
  return [options, &session] { return run(session, *options); };
}

} // namespace faultline::cli
