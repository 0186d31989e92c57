#include "check/checker.hpp"

#include "base/clock.hpp"
#include "base/format.hpp"
#include "check/check_one.hpp"
#include "program/interpreter/prepare.hpp"
#include "rules/selection.hpp"
#include "run/isolated.hpp"
#include "run/pool.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace faultline::check {

namespace {

using source::Finding;
using source::Place;

auto order_of(const Place& place)
{
  return std::tie(
      place.file, place.cell, place.line, place.column, place.end_line, place.end_column);
}

// The rules to run under each configuration; made before the work starts, then only read.
class RuleSets {
public:
  static Result<RuleSets> make(const std::vector<Subject>& subjects, const Options& options)
  {
    RuleSets sets;
    for (const Subject& subject : subjects) {
      if (sets.m_sets.contains(subject.config)) {
        continue;
      }
      const Config& config = *subject.config;
      const bool asked = !options.select.empty();
      std::vector<std::string> ignore = asked ? std::vector<std::string>() : config.ignore;
      ignore.insert(ignore.end(), options.ignore.begin(), options.ignore.end());
      FL_TRY(std::vector<const rules::Rule*> rules,
             rules::select_rules(asked ? options.select : config.select, ignore));
      sets.m_sets[subject.config] = std::move(rules);
    }
    return sets;
  }

  std::span<const rules::Rule* const> of(const Subject& subject) const
  {
    return m_sets.at(subject.config);
  }

private:
  std::map<const Config*, std::vector<const rules::Rule*>> m_sets;
};

std::string key_of(const Finding& finding)
{
  const Place& place = finding.place;
  return format("{} {}:{}-{}:{} {} {}",
                finding.rule,
                place.line,
                place.column,
                place.end_line,
                place.end_column,
                place.cell,
                place.file);
}

class Collector {
public:
  explicit Collector(Report& report) : m_report(report) {}

  void own_findings(const Subject& subject, Outcome& outcome)
  {
    if (!outcome.unreadable.empty() || !outcome.failed.empty()) {
      const bool failed = !outcome.failed.empty();
      m_report.unreadable.push_back(
          {subject.path, failed ? outcome.failed : outcome.unreadable, failed});
      return;
    }
    ++m_report.analysed;
    if (outcome.gap) {
      m_report.partly.push_back(*outcome.gap);
    }
    if (outcome.own && outcome.own->notebook) {
      m_report.files.add(subject.path, *std::move(outcome.own->notebook));
    } else if (outcome.own) {
      m_report.files.add(subject.path, std::move(outcome.own->text));
    }
    add(outcome.findings, [&subject](const Place& place) { return place.file == subject.path; });
  }

  // What an importing program says of another file counts if that file said nothing itself.
  void other_findings(const Subject& subject, Outcome& outcome)
  {
    for (auto& [path, text] : outcome.imported) {
      m_report.files.add(path, std::move(text));
    }
    add(outcome.findings, [&subject](const Place& place) { return place.file != subject.path; });
  }

private:
  template <typename Filter> void add(std::vector<Finding>& findings, const Filter& wanted)
  {
    for (Finding& finding : findings) {
      if (wanted(finding.place) && m_seen.insert(key_of(finding)).second) {
        m_report.findings.push_back(finding);
      }
    }
  }

  Report& m_report;
  std::set<std::string> m_seen;
};

// Checks subjects by their number, here or in processes that can die alone.
class Analyst {
public:
  Analyst(const std::vector<Subject>& subjects, const RuleSets& rules)
      : m_subjects(subjects), m_rules(rules)
  {
  }

  Result<void> isolate()
  {
    // The workers are forked from here, so they know the subjects and the rules.
    const auto work = [this](const std::string& number) {
      return encode(here(std::stoul(number)));
    };
    FL_TRY(m_isolated, run::Isolated::start(work, {}, program::prepare));
    return {};
  }

  Outcome check(size_t i) const
  {
    if (!m_isolated) {
      return here(i);
    }
    const Result<std::string> bytes = m_isolated->ask(std::to_string(i));
    Result<Outcome> outcome = bytes ? decode(*bytes) : Result<Outcome>(bytes.error());
    if (outcome) {
      return *std::move(outcome);
    }
    Outcome failed;
    failed.done = true;
    failed.failed = outcome.error().message;
    return failed;
  }

private:
  Outcome here(size_t i) const { return check_one(m_subjects[i], m_rules.of(m_subjects[i])); }

  const std::vector<Subject>& m_subjects;
  const RuleSets& m_rules;
  std::unique_ptr<run::Isolated> m_isolated;
};

} // namespace

Result<Report>
check_programs(const std::vector<Subject>& subjects, const Options& options, const OnFile& on_file)
{
  FL_TRY(const RuleSets rule_sets, RuleSets::make(subjects, options));
  const double start = monotonic_seconds();
  Analyst analyst(subjects, rule_sets);
  if (options.isolated) {
    FL_CHECK(analyst.isolate());
  }
  std::vector<Outcome> outcomes(subjects.size());
  run::for_each_parallel(
      subjects.size(),
      options.jobs,
      [] { return 0; },
      [&](int, size_t i) {
        outcomes[i] = analyst.check(i);
        if (on_file) {
          on_file(subjects[i].path);
        }
      });
  Report report;
  Collector collector(report);
  for (size_t i = 0; i < subjects.size(); ++i) {
    if (outcomes[i].done) {
      collector.own_findings(subjects[i], outcomes[i]);
    }
  }
  for (size_t i = 0; i < subjects.size(); ++i) {
    collector.other_findings(subjects[i], outcomes[i]);
  }
  std::ranges::stable_sort(report.findings, [](const Finding& a, const Finding& b) {
    return order_of(a.place) < order_of(b.place);
  });
  report.interrupted = run::interrupted();
  report.seconds = monotonic_seconds() - start;
  return report;
}

} // namespace faultline::check
