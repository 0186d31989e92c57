#include "rules/rule.hpp"

#include <algorithm>
#include <array>

namespace faultline::rules {

#define FL_RULE(code, group, file) extern const Rule file;
#include "rules/rules.inc"
#undef FL_RULE

// Pages in the order of rules.inc; made from the .md files by the build.
extern const std::string_view k_pages[];

namespace {

struct Entry {
  Rule rule;
  std::string_view group;
};

Entry entry(const Rule& rule, std::string_view code, std::string_view group)
{
  Entry made{rule, group};
  made.rule.code = code;
  return made;
}

const auto& entries()
{
  static const auto k_entries = std::to_array<Entry>({
#define FL_RULE(code, group, file) entry(file, #code, #group),
#include "rules/rules.inc"
#undef FL_RULE
  });
  return k_entries;
}

size_t index_of(const Rule& rule)
{
  const auto found =
      std::ranges::find(entries(), rule.code, [](const Entry& e) { return e.rule.code; });
  return static_cast<size_t>(found - entries().begin());
}

} // namespace

std::span<const Rule* const> all_rules()
{
  static const std::vector<const Rule*> k_rules = [] {
    std::vector<const Rule*> rules;
    for (const Entry& e : entries()) {
      rules.push_back(&e.rule);
    }
    return rules;
  }();
  return k_rules;
}

const Rule* find_rule(std::string_view code_or_name)
{
  const std::span<const Rule* const> rules = all_rules();
  const auto found = std::ranges::find_if(rules, [code_or_name](const Rule* rule) {
    return rule->code == code_or_name || rule->name == code_or_name;
  });
  return found == rules.end() ? nullptr : *found;
}

std::string_view documentation_of(const Rule& rule)
{
  const size_t index = index_of(rule);
  return index < entries().size() ? k_pages[index] : std::string_view();
}

std::string_view group_of(const Rule& rule)
{
  const size_t index = index_of(rule);
  return index < entries().size() ? entries()[index].group : std::string_view();
}

} // namespace faultline::rules
