#pragma once

// Which rules are meant by the words that users write on the command line, in pyproject.toml and in
// comments.

#include "base/result.hpp"
#include "rules/rule.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace faultline::rules {

// `word` is a code ("DL213"), a prefix of codes ("DL2", "NU"), a group ("numerics"), a rule's name,
// "default" or "all". Case does not matter.
bool matches(const Rule& rule, std::string_view word);

// On without being asked for: neither preview nor of low confidence.
bool is_default(const Rule& rule);

// The rules to run: those of `select` (the default ones if it is empty), without those of `ignore`.
// A word that means no rule is an error with the nearest word that does.
Result<std::vector<const Rule*>> select_rules(const std::vector<std::string>& select,
                                              const std::vector<std::string>& ignore);

// An error if `word` means no rule.
Result<void> check_word(std::string_view word);

// ", did you mean `DL213`?" among codes, groups and names; nothing if none is near.
std::string did_you_mean_rule(std::string_view word);

std::vector<std::string_view> all_groups(); // in the order of their first codes

} // namespace faultline::rules
