#pragma once

// Collects what the rules of one run find. Two findings of one rule at one place are one; findings
// that share a cause are one.

#include "base/format.hpp"
#include "rules/rule.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::rules {

// A finding under construction; every part is optional but the message.
class Draft {
public:
  Draft& label(std::string text);           // under the excerpt
  Draft& note(Span span, std::string text); // with a place
  Draft& note(std::string text);
  Draft& help(std::string text);
  Draft& severity(Severity severity); // other than the rule's
  Draft& type(FaultType type);        // other than the rule's
  // The cause behind it, if other rules may report the same: any pointer, such as the loss use or
  // the call. Of findings with one cause only that of the rule with the highest rank is printed.
  Draft& cause(const void* cause);
  // An edit that removes the finding. Several calls add up.
  Draft& replace(Span span, std::string text);
  Draft& insert(Span before, std::string text);
  Draft& safe(std::string description); // the edits cannot change correct programs
  Draft& unsafe(std::string description);

private:
  friend class Reporter;
  const Rule* m_rule = nullptr;
  Span m_span;
  std::string m_message;
  std::string m_label, m_help;
  Severity m_severity = Severity::warning;
  std::string_view m_type;
  const void* m_cause = nullptr;
  bool m_safe = false;
  std::string m_fix;
  struct Remark {
    Span span;
    bool placed = false;
    std::string text;
  };
  std::vector<Remark> m_notes;
  struct Change {
    Span span;
    std::string text;
  };
  std::vector<Change> m_changes;
};

class Reporter {
public:
  explicit Reporter(const Program& program) : m_program(program) {}

  Draft& add(Span span, std::string message);

  // Run one rule; its drafts are kept.
  void run(const Rule& rule);

  // Everything found, duplicates and shared causes collapsed, in the order of the text.
  std::vector<source::Finding> finish() const;

private:
  std::vector<const Draft*> kept_drafts() const;

  const Program& m_program;
  const Rule* m_rule = nullptr;
  std::vector<std::unique_ptr<Draft>> m_drafts;
};

// Analyse one program with `rules`. Comments `# faultline: ignore DL101` are honoured.
std::vector<source::Finding> check(const Program& program, std::span<const Rule* const> rules);

} // namespace faultline::rules
