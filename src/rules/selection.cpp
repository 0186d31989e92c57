#include "rules/selection.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cctype>

namespace faultline::rules {

static char lower(char c)
{
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

static bool same_letters(char a, char b)
{
  return lower(a) == lower(b);
}

static bool same(std::string_view a, std::string_view b)
{
  return std::ranges::equal(a, b, same_letters);
}

bool matches(const Rule& rule, std::string_view word)
{
  if (word.empty()) {
    return false;
  }
  return same(word, "all") || (same(word, "default") && is_default(rule)) ||
         same(word, rule.code.substr(0, word.size())) || same(word, group_of(rule)) ||
         same(word, rule.name);
}

bool is_default(const Rule& rule)
{
  return rule.status == Status::stable && rule.confidence != Confidence::low;
}

std::vector<std::string_view> all_groups()
{
  std::vector<std::string_view> groups;
  for (const Rule* rule : all_rules()) {
    if (std::ranges::find(groups, group_of(*rule)) == groups.end()) {
      groups.push_back(group_of(*rule));
    }
  }
  return groups;
}

std::string did_you_mean_rule(std::string_view word)
{
  std::vector<std::string> known;
  for (const Rule* rule : all_rules()) {
    known.emplace_back(rule->code);
    known.emplace_back(rule->name);
  }
  for (const std::string_view group : all_groups()) {
    known.emplace_back(group);
  }
  // Codes are written in capitals, names and groups are not.
  const bool is_code = word.size() > 2 && std::isdigit(static_cast<unsigned char>(word[2])) != 0;
  std::string meant(word);
  for (char& c : meant) {
    c = is_code ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : lower(c);
  }
  return did_you_mean(meant, known);
}

Result<void> check_word(std::string_view word)
{
  if (same(word, "all") || same(word, "default") ||
      std::ranges::any_of(all_rules(), [word](const Rule* rule) { return matches(*rule, word); })) {
    return {};
  }
  const std::string guess = did_you_mean_rule(word);
  return Error{
      ErrorKind::usage,
      format("unknown rule `{}`{}", word, guess.empty() ? "; see `faultline rules`" : guess)};
}

Result<std::vector<const Rule*>> select_rules(const std::vector<std::string>& select,
                                              const std::vector<std::string>& ignore)
{
  for (const std::vector<std::string>* words : {&select, &ignore}) {
    for (const std::string& word : *words) {
      FL_CHECK(check_word(word));
    }
  }
  const auto meant_by = [](const Rule& rule, const std::vector<std::string>& words) {
    return std::ranges::any_of(words, [&rule](const std::string& w) { return matches(rule, w); });
  };
  std::vector<const Rule*> chosen;
  for (const Rule* rule : all_rules()) {
    const bool wanted = select.empty() ? is_default(*rule) : meant_by(*rule, select);
    if (wanted && !meant_by(*rule, ignore)) {
      chosen.push_back(rule);
    }
  }
  return chosen;
}

} // namespace faultline::rules
