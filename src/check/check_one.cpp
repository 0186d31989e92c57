#include "check/check_one.hpp"

#include "base/format.hpp"
#include "rules/reporter.hpp"
#include "rules/selection.hpp"

#include <algorithm>
#include <set>

namespace faultline::check {

namespace {

using source::Finding;
using source::Place;

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

} // namespace

Outcome check_one(const Subject& subject, std::span<const rules::Rule* const> rules)
{
  Outcome outcome;
  try {
    outcome = check_readable(subject, rules);
  } catch (const std::exception& error) { // a library's, or of our own making
    outcome.failed = format("internal error: {}", error.what());
  }
  outcome.done = true;
  return outcome;
}

} // namespace faultline::check
