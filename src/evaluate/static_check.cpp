#include "evaluate/static_check.hpp"

#include "program/record/program.hpp"
#include "rules/reporter.hpp"

#include <map>
#include <set>

namespace faultline::evaluate {

namespace {

// Rule → its errors and warnings at different places of the program.
using Counts = std::map<std::string, size_t>;

Counts findings_of(const FileTree& program, std::span<const rules::Rule* const> rules)
{
  const program::ReadFile read = [&program](const std::string& path) {
    const auto found = program.find(path);
    return found != program.end() ? std::optional(found->second) : std::nullopt;
  };
  std::set<std::string> seen; // what an importing file shows again counts once
  Counts counts;
  for (const auto& [path, text] : program) {
    if (!path.ends_with(".py")) {
      continue;
    }
    const auto understood = program::analyse(path, text, read);
    for (const source::Finding& finding : rules::check(*understood, rules)) {
      const std::string place = finding.rule + ' ' + finding.place.file + ' ' +
                                std::to_string(finding.place.line) + ' ' +
                                std::to_string(finding.place.column);
      if (finding.severity != source::Severity::info && seen.insert(place).second) {
        ++counts[finding.rule];
      }
    }
  }
  return counts;
}

} // namespace

Result<StaticCheck> static_check(const catalog::Fault& fault,
                                 std::span<const rules::Rule* const> rules)
{
  StaticCheck check;
  check.applies = fault.language() == "python";
  if (!check.applies) {
    return check;
  }
  FL_TRY(const FileTree fixed_program, catalog::program_of(fault, catalog::Version::fixed));
  const Counts buggy = findings_of(fault.program, rules);
  const Counts fixed = findings_of(fixed_program, rules);
  for (const auto& [rule, count] : buggy) {
    const auto left = fixed.find(rule);
    if (left == fixed.end() || left->second < count) {
      check.rules.push_back(rule);
    }
  }
  check.reported = !check.rules.empty();
  return check;
}

} // namespace faultline::evaluate
