#pragma once

// One rule is one file: a condition over the facts of a program, and the words for it.

#include "program/record/program.hpp"
#include "source/finding.hpp"
#include "source/label.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::rules {

using program::Call;
using program::Instance;
using program::LossUse;
using program::Program;
using program::Ref;
using program::Span;
using program::Tensor;
using source::Confidence;
using source::FaultType;
using source::FixPattern;
using source::Severity;

enum class Status { stable, preview }; // preview rules are off unless selected

class Reporter;

struct Rule {
  std::string_view code = {}; // set by the registry, from rules.inc
  std::string_view name;      // kebab-case, names the bad pattern
  std::string_view summary;   // "Finds …", one sentence
  std::string_view applies;   // "keras tf1 tf2 torch", "any"
  FaultType type;
  FixPattern fix_pattern;
  Severity severity = Severity::warning;
  Confidence confidence = Confidence::medium;
  Status status = Status::stable;
  // Findings with the same key from several rules are one cause: the rule with the higher rank is
  // kept. Empty: only the place counts.
  int rank = 0;
  void (*check)(const Program& program, Reporter& report) = nullptr;
};

// All rules, sorted by code.
std::span<const Rule* const> all_rules();
const Rule* find_rule(std::string_view code_or_name);
std::string_view documentation_of(const Rule& rule); // its .md

// "DL1", "SH", "numerics": a prefix of codes or a group's name. The group of a rule is its folder.
std::string_view group_of(const Rule& rule);

} // namespace faultline::rules
