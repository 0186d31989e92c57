#include "base/format.hpp"
#include "base/text.hpp"
#include "catalog/similarity.hpp"
#include "cli/command.hpp"
#include "report/text_table.hpp"

#include <algorithm>
#include <set>

namespace faultline::cli {

namespace {

struct Options {
  std::string id;
  size_t most = 10;
  double least = 0;
  bool groups = false;
  bool json = false;
};

Result<int> print_groups(Session& session, const Options& options)
{
  FL_TRY(const catalog::Catalog* all, session.catalog());
  const catalog::Similarity similarity(*all);
  std::set<const catalog::Fault*> seen;
  Json json = Json::array();
  std::string text;
  for (const catalog::Fault& fault : all->faults) {
    const std::vector<const catalog::Fault*>& group = similarity.group_of(fault);
    if (group.size() < 2 || seen.contains(&fault)) {
      continue;
    }
    Json ids = Json::array();
    for (const catalog::Fault* member : group) {
      seen.insert(member);
      ids.push_back(member->id);
      text += (member == group.front() ? "" : "  ") + member->id + "\n";
    }
    json.push_back({{"support", group.size()}, {"faults", ids}});
  }
  if (options.json) {
    session.print_json(json);
  } else {
    session.print(text + count_of(json.size(), "group") +
                  " of faults share their root cause and fix.\n");
  }
  return k_exit_ok;
}

Result<int> run(Session& session, const Options& options)
{
  if (options.groups) {
    return print_groups(session, options);
  }
  if (options.id.empty()) {
    return Error{ErrorKind::usage, "name a fault, or use --groups"};
  }
  FL_TRY(const catalog::Fault* fault, session.fault(options.id));
  FL_TRY(const catalog::Catalog* all, session.catalog());
  const catalog::Similarity similarity(*all);
  std::vector<catalog::Similar> others = similarity.of(*fault);
  std::erase_if(others,
                [&options](const catalog::Similar& s) { return s.similarity < options.least; });
  others.resize(std::min(others.size(), options.most));
  if (options.json) {
    Json json;
    json["id"] = fault->id;
    json["support"] = similarity.support(*fault);
    json["similar"] = Json::array();
    for (const catalog::Similar& other : others) {
      json["similar"].push_back({{"id", other.fault->id},
                                 {"similarity", other.similarity},
                                 {"same_type",
                                  other.fault->parts.front().labels.get("type") ==
                                      fault->parts.front().labels.get("type")}});
    }
    session.print_json(json);
    return k_exit_ok;
  }
  report::TextTable table({{"SIMILARITY", report::Align::right},
                           {"ID", report::Align::left, Colour::bold},
                           {"FIX PATTERN"},
                           {"TITLE", report::Align::left, Colour::dim}});
  for (const catalog::Similar& other : others) {
    table.add({format("{:.2f}", other.similarity),
               other.fault->id,
               other.fault->parts.front().labels.get("fix_pattern"),
               other.fault->title});
  }
  session.print(table.print(session.out(), session.width()));
  session.print(format("\nSupport level {}: {} with the same root cause and a similar fix "
                       "(similarity {} or more).\n",
                       similarity.support(*fault),
                       count_of(static_cast<size_t>(similarity.support(*fault)), "fault"),
                       catalog::k_same_fix));
  return k_exit_ok;
}

} // namespace

Action declare_similar(Arguments& arguments, Session& session)
{
  auto options = std::make_shared<Options>();
  arguments.option("id", options->id, "the fault").named("ID");
  arguments.option("--most", options->most, "at most this many (10)").named("N");
  arguments.option("--least", options->least, "only those at least this similar")
      .within(0.0, 1.0)
      .named("0…1");
  arguments.flag(
      "--groups", options->groups, "print groups of faults with the same root cause and fix");
  arguments.flag("--json", options->json, "print JSON");
  return [options, &session] { return run(session, *options); };
}

} // namespace faultline::cli
