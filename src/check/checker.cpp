#include "check/checker.hpp"

#include "base/clock.hpp"
#include "base/format.hpp"
#include "rules/reporter.hpp"
#include "rules/selection.hpp"
#include "run/pool.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace faultline::check {

namespace {

using source::Finding;
using source::Place;

// What came of one program. Texts are kept for files with findings only.
struct Outcome {
  bool done = false;
  std::string unreadable; // why; empty if it was read
  std::optional<Gap> gap;
  std::vector<Finding> findings;
  std::optional<LoadedText> own;               // the main file, if something is found in it
  std::map<std::string, std::string> imported; // other files in which something is found
};

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

// A configuration may exclude a file, or one rule for some files.
bool is_unwanted(const Finding& finding, const Subject& subject)
{
  const Config& config = *subject.config;
  const std::string& file = finding.place.file;
  if (file != subject.path && config.excludes(file)) {
    return true;
  }
  if (config.per_file.empty()) {
    return false;
  }
  const std::string relative = config.relative(file);
  const rules::Rule& rule = *rules::find_rule(finding.rule);
  return std::ranges::any_of(config.per_file, [&](const Config::PerFile& entry) {
    return entry.files.covers(relative) &&
           std::ranges::any_of(entry.ignore,
                               [&](const std::string& word) { return rules::matches(rule, word); });
  });
}

// Places in the joined text of a notebook become places in its cells.
void locate(Finding& finding, const std::string& path, const source::Notebook& notebook)
{
  const auto move = [&](Place& place) {
    if (place.file == path) {
      place = notebook.locate(place);
    }
  };
  move(finding.place);
  for (source::Note& note : finding.notes) {
    if (note.place) {
      move(*note.place);
    }
  }
}

// The files that a finding's places and edits are in.
std::set<std::string> files_of(const Finding& finding)
{
  std::set<std::string> files = {finding.place.file};
  if (finding.fix) {
    for (const auto& [file, edits] : finding.fix->edits) {
      files.insert(file);
    }
  }
  return files;
}

Gap gap_of(const program::Program& program, const LoadedText& loaded)
{
  const program::Gap& gap = program.gaps().front();
  const program::Unit& unit = *program.units()[gap.span.file];
  const source::LineIndex lines(unit.text);
  const source::LineColumn begin = lines.at(gap.span.begin);
  const source::LineColumn end = lines.at(gap.span.end);
  Place place{unit.path, begin.line, begin.column, end.line, end.column};
  if (gap.span.file == 0 && loaded.notebook) {
    place = loaded.notebook->locate(place);
  }
  return {std::move(place), gap.what};
}

Outcome check_readable(const Subject& subject, std::span<const rules::Rule* const> rules)
{
  Outcome outcome;
  Result<LoadedText> loaded = load_program(subject);
  if (!loaded) {
    outcome.unreadable = loaded.error().line();
    return outcome;
  }
  const auto program = analyse_program(subject, *loaded);
  if (!program->gaps().empty()) {
    outcome.gap = gap_of(*program, *loaded);
  }
  outcome.findings = rules::check(*program, rules);
  std::erase_if(outcome.findings,
                [&subject](const Finding& finding) { return is_unwanted(finding, subject); });
  std::set<std::string> needed;
  for (Finding& finding : outcome.findings) {
    needed.merge(files_of(finding));
    if (loaded->notebook) {
      locate(finding, subject.path, *loaded->notebook);
    }
  }
  for (const auto& unit : program->units()) {
    if (!unit->is_main && needed.contains(unit->path)) {
      outcome.imported[unit->path] = unit->text;
    }
  }
  if (needed.contains(subject.path)) {
    outcome.own = *std::move(loaded);
  }
  return outcome;
}

// A fence: what goes wrong with one program does not end the check of the others.
Outcome check_one(const Subject& subject, std::span<const rules::Rule* const> rules)
{
  Outcome outcome;
  try {
    outcome = check_readable(subject, rules);
  } catch (const std::exception& error) {
    outcome.unreadable = format("internal error: {}", error.what());
  }
  outcome.done = true;
  return outcome;
}

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
    if (!outcome.unreadable.empty()) {
      m_report.unreadable.push_back({subject.path, outcome.unreadable});
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

} // namespace

Result<Report>
check_programs(const std::vector<Subject>& subjects, const Options& options, const OnFile& on_file)
{
  FL_TRY(const RuleSets rule_sets, RuleSets::make(subjects, options));
  const double start = monotonic_seconds();
  std::vector<Outcome> outcomes(subjects.size());
  run::for_each_parallel(
      subjects.size(),
      options.jobs,
      [] { return 0; },
      [&](int, size_t i) {
        outcomes[i] = check_one(subjects[i], rule_sets.of(subjects[i]));
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
