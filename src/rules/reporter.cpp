#include "rules/reporter.hpp"

#include "rules/suppression.hpp"
#include "source/line_index.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace faultline::rules {

namespace {

// What is needed to speak about one file, made when it is first spoken about.
struct FileView {
  explicit FileView(const program::Unit& of)
      : unit(of), lines(of.text), suppressions(of.text), is_test(is_test_file(of))
  {
  }

  source::Place place(Span span) const
  {
    const source::LineColumn begin = lines.at(span.begin);
    const source::LineColumn end = lines.at(span.end);
    return {unit.path, begin.line, begin.column, end.line, end.column};
  }

  // Tests build small, odd and deliberately wrong models.
  static bool is_test_file(const program::Unit& unit)
  {
    const std::string name = std::filesystem::path(unit.path).filename().string();
    const bool named = name.starts_with("test_") || name.ends_with("_test.py");
    return named && (unit.text.find("import unittest") != std::string::npos ||
                     unit.text.find("import pytest") != std::string::npos);
  }

  const program::Unit& unit;
  source::LineIndex lines;
  Suppressions suppressions;
  bool is_test;
};

class Files {
public:
  explicit Files(const Program& program) : m_program(program) {}

  const FileView& of(Span span)
  {
    const size_t number = std::min<size_t>(span.file, m_program.units().size() - 1);
    return m_views.try_emplace(number, *m_program.units()[number]).first->second;
  }

private:
  const Program& m_program;
  std::map<size_t, FileView> m_views;
};

Severity demoted(Severity severity)
{
  return severity == Severity::error ? Severity::warning : Severity::info;
}

} // namespace

Draft& Reporter::add(Span span, std::string message)
{
  auto draft = std::make_unique<Draft>();
  draft->m_rule = m_rule;
  draft->m_span = span;
  draft->m_message = std::move(message);
  draft->m_severity = m_rule->severity;
  draft->m_type = m_rule->type.id();
  m_drafts.push_back(std::move(draft));
  return *m_drafts.back();
}

void Reporter::run(const Rule& rule)
{
  m_rule = &rule;
  rule.check(m_program, *this);
  m_rule = nullptr;
}

// One finding a rule and place, one finding a cause; in the order of the text.
std::vector<const Draft*> Reporter::kept_drafts() const
{
  const auto is_better = [](const Draft& a, const Draft& b) {
    return std::tuple(a.m_rule->rank, a.m_severity, b.m_rule->code) >
           std::tuple(b.m_rule->rank, b.m_severity, a.m_rule->code);
  };
  std::map<const void*, const Draft*> by_cause;
  std::set<std::pair<std::string_view, Span>> places;
  std::vector<const Draft*> unique;
  for (const auto& draft : m_drafts) {
    if (draft->m_cause != nullptr) {
      const auto [best, is_new] = by_cause.try_emplace(draft->m_cause, draft.get());
      if (!is_new && is_better(*draft, *best->second)) {
        best->second = draft.get();
      }
    }
  }
  for (const auto& draft : m_drafts) {
    const bool is_kept = draft->m_cause == nullptr || by_cause.at(draft->m_cause) == draft.get();
    if (is_kept && places.emplace(draft->m_rule->code, draft->m_span).second) {
      unique.push_back(draft.get());
    }
  }
  std::ranges::stable_sort(unique, {}, [](const Draft* draft) {
    return std::tuple(draft->m_span, draft->m_rule->code);
  });
  return unique;
}

std::vector<source::Finding> Reporter::finish() const
{
  Files files(m_program);
  std::vector<source::Finding> findings;
  for (const Draft* draft : kept_drafts()) {
    const FileView& file = files.of(draft->m_span);
    source::Finding finding;
    finding.rule = draft->m_rule->code;
    finding.severity = file.is_test ? demoted(draft->m_severity) : draft->m_severity;
    finding.confidence = draft->m_rule->confidence;
    finding.place = file.place(draft->m_span);
    if (file.suppressions.covers(*draft->m_rule, finding.place.line, finding.place.end_line)) {
      continue;
    }
    finding.message = draft->m_message;
    finding.label = draft->m_label;
    finding.help = draft->m_help;
    finding.type = draft->m_type;
    finding.fix_pattern = draft->m_rule->fix_pattern.id();
    for (const Draft::Remark& remark : draft->m_notes) {
      source::Note& note = finding.notes.emplace_back();
      note.text = remark.text;
      if (remark.placed) {
        note.place = files.of(remark.span).place(remark.span);
      }
    }
    if (!draft->m_changes.empty()) {
      finding.fix = source::Fix{draft->m_fix, draft->m_safe};
      for (const Draft::Change& change : draft->m_changes) {
        finding.fix->edits[files.of(change.span).unit.path].push_back(
            {change.span.begin, change.span.end, change.text});
      }
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<source::Finding> check(const Program& program, std::span<const Rule* const> rules)
{
  Reporter reporter(program);
  for (const Rule* rule : rules) {
    reporter.run(*rule);
  }
  return reporter.finish();
}

} // namespace faultline::rules
