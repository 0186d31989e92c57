#include "base/format.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/filter_options.hpp"
#include "evaluate/static_check.hpp"
#include "report/text_table.hpp"
#include "rules/selection.hpp"

#include <algorithm>

namespace faultline::cli {

namespace {

struct Options {
  std::shared_ptr<FilterOptions> filter;
  std::string scheme;
  bool all = false;
  bool json = false;
};

using Faults = std::vector<const catalog::Fault*>;

// The result of `check` for each fault.
using Checks = std::map<const catalog::Fault*, evaluate::StaticCheck>;

Result<Checks> check_all(const Faults& faults)
{
  FL_TRY(const std::vector<const rules::Rule*> rules, rules::select_rules({}, {}));
  Checks checks;
  for (const catalog::Fault* fault : faults) {
    FL_TRY(evaluate::StaticCheck check, evaluate::static_check(*fault, rules));
    checks.emplace(fault, std::move(check));
  }
  return checks;
}

Faults reported_of(const Checks& checks)
{
  Faults faults;
  for (const auto& [fault, check] : checks) {
    if (check.reported) {
      faults.push_back(fault);
    }
  }
  std::ranges::sort(faults, {}, [](const catalog::Fault* fault) { return fault->id; });
  return faults;
}

// Faults with a part whose label is `label` or lies below it.
size_t count_with(const Faults& faults, const catalog::Scheme& scheme, const std::string& label)
{
  return static_cast<size_t>(std::ranges::count_if(faults, [&](const catalog::Fault* fault) {
    return std::ranges::any_of(fault->parts, [&](const catalog::Part& part) {
      return catalog::is_within(part.labels.get(scheme.name), label);
    });
  }));
}

// Leaves at or below `label`, and how many of them some fault has.
struct Coverage {
  size_t leaves = 0;
  size_t covered = 0;
};

Coverage coverage_of(const Faults& faults, const catalog::Scheme& scheme, const std::string& label)
{
  Coverage coverage;
  for (const catalog::Label& leaf : scheme.labels) {
    if (leaf.leaf && (label.empty() || catalog::is_within(leaf.id, label))) {
      ++coverage.leaves;
      coverage.covered += count_with(faults, scheme, leaf.id) > 0 ? 1 : 0;
    }
  }
  return coverage;
}

// How often the source of the scheme counted the label, all its counts added up.
std::string published(const catalog::Label& label)
{
  if (label.counts.empty()) {
    return "";
  }
  int sum = 0;
  for (const auto& [what, count] : label.counts) {
    sum += count;
  }
  return format("{}", sum);
}

std::string print_scheme(const Faults& faults,
                         const Faults& reported,
                         const catalog::Scheme& scheme,
                         bool all,
                         const Painter& paint)
{
  const Coverage whole = coverage_of(faults, scheme, "");
  std::string text = paint(Colour::bold, scheme.title) +
                     format(": {} of {} covered\n", whole.covered, whole.leaves);
  const bool tree =
      std::ranges::any_of(scheme.labels, [](const catalog::Label& l) { return !l.leaf; });
  report::TextTable table({{scheme.name},
                           {"faults", report::Align::right},
                           {"check", report::Align::right},
                           {tree ? "leaves" : "", report::Align::right},
                           {"published", report::Align::right},
                           {"", report::Align::left, Colour::cyan}});
  for (const catalog::Label& label : scheme.labels) {
    if (tree && label.leaf && !all) {
      continue;
    }
    const auto depth = static_cast<size_t>(std::ranges::count(label.id, '/'));
    const size_t count = count_with(faults, scheme, label.id);
    const Coverage coverage = coverage_of(faults, scheme, label.id);
    table.add({std::string(2 + depth * 2, ' ') + (tree ? label.name : label.id),
               format("{}", count),
               format("{}", count_with(reported, scheme, label.id)),
               tree && !label.leaf ? format("{}/{}", coverage.covered, coverage.leaves) : "",
               published(label),
               report::bar(faults.empty() ? 0 : double(count) / double(faults.size()), 24)});
  }
  return text + table.print(paint) + "\n";
}

Json scheme_json(const Faults& faults, const Faults& reported, const catalog::Scheme& scheme)
{
  const Coverage whole = coverage_of(faults, scheme, "");
  Json json;
  json["scheme"] = scheme.name;
  json["leaves"] = whole.leaves;
  json["covered"] = whole.covered;
  json["labels"] = Json::array();
  for (const catalog::Label& label : scheme.labels) {
    json["labels"].push_back({{"id", label.id},
                              {"leaf", label.leaf},
                              {"faults", count_with(faults, scheme, label.id)},
                              {"check", count_with(reported, scheme, label.id)},
                              {"published", label.counts}});
  }
  return json;
}

template <typename Key> Json tally(const Faults& faults, const Key& key)
{
  std::map<std::string, int> counts;
  for (const catalog::Fault* fault : faults) {
    ++counts[key(*fault)];
  }
  return counts;
}

Json overview(const Faults& faults, const Checks& checks)
{
  Json json;
  json["faults"] = faults.size();
  json["framework"] = tally(faults, [](const catalog::Fault& f) { return f.framework; });
  json["split"] = tally(faults, [](const catalog::Fault& f) { return f.split; });
  json["origin"] = tally(faults, [](const catalog::Fault& f) { return f.origin.kind; });
  json["silent"] = tally(faults, [](const catalog::Fault& f) { return f.silent ? "yes" : "no"; });
  json["oracle"] = tally(faults, [](const catalog::Fault& f) {
    return f.oracle.statistical ? "statistical" : "test";
  });
  json["parts"] =
      tally(faults, [](const catalog::Fault& f) { return f.parts.size() > 1 ? "several" : "one"; });
  json["alternatives"] =
      tally(faults, [](const catalog::Fault& f) { return f.accepted.empty() ? "no" : "yes"; });
  json["check"] = tally(faults, [&checks](const catalog::Fault& f) {
    const evaluate::StaticCheck& check = checks.at(&f);
    return check.reported ? "reported" : check.applies ? "silent" : "not Python";
  });
  return json;
}

// The faults that `check` reports, and with which rules.
std::string print_reported(const Faults& reported, const Checks& checks, const Painter& paint)
{
  std::string text = paint(Colour::bold, "Reported by check") +
                     ": the finding is there on the buggy version and gone on the fixed one\n";
  report::TextTable table({{"fault"}, {"rules", report::Align::left, Colour::cyan}});
  for (const catalog::Fault* fault : reported) {
    table.add({"  " + fault->id, join(checks.at(fault).rules, " ")});
  }
  return text + table.print(paint);
}

Result<int> run(Session& session, Options& options)
{
  FL_TRY(const Faults faults, selected_faults(session, *options.filter));
  FL_TRY(const catalog::Catalog* all, session.catalog());
  FL_TRY(const Checks checks, check_all(faults));
  const Faults reported = reported_of(checks);
  Json json = overview(faults, checks);
  if (options.json) {
    json["schemes"] = Json::array();
    for (const catalog::Scheme& scheme : all->schemes.all) {
      json["schemes"].push_back(scheme_json(faults, reported, scheme));
    }
    json["reported"] = Json::object();
    for (const catalog::Fault* fault : reported) {
      json["reported"][fault->id] = checks.at(fault).rules;
    }
    session.print_json(json);
    return k_exit_ok;
  }
  const Painter paint = session.out();
  if (options.scheme.empty()) {
    session.print(paint(Colour::bold, count_of(faults.size(), "fault")) + "\n");
    for (const auto& [name, counts] : json.items()) {
      if (!counts.is_object()) {
        continue;
      }
      std::vector<std::string> parts;
      for (const auto& [value, count] : counts.items()) {
        parts.push_back(format("{} {}", count.get<int>(), value));
      }
      session.print(format("  {:<13} {}\n", name, join(parts, ", ")));
    }
    session.print("\n");
  }
  for (const catalog::Scheme& scheme : all->schemes.all) {
    if (options.scheme.empty() || replace_all(options.scheme, "-", "_") == scheme.name) {
      session.print(print_scheme(faults, reported, scheme, options.all, paint));
    }
  }
  if (options.scheme.empty() && !reported.empty()) {
    session.print(print_reported(reported, checks, paint));
  }
  return k_exit_ok;
}

} // namespace

Action declare_stats(Arguments& arguments, Session& session)
{
  auto options = std::make_shared<Options>();
  options->filter = add_filter_options(arguments);
  arguments.option("--scheme", options->scheme, "only this label scheme")
      .one_of({"type", "category", "fix-pattern", "symptom", "property", "phase", "level"})
      .named("NAME");
  arguments.flag("--all", options->all, "list every leaf of the taxonomy");
  arguments.flag("--json", options->json, "print JSON");
  return [options, &session] { return run(session, *options); };
}

} // namespace faultline::cli
