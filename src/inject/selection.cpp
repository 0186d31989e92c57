#include "inject/selection.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cctype>

namespace faultline::inject {

static bool same(std::string_view a, std::string_view b)
{
  return std::ranges::equal(a, b, [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

bool matches(const Operator& op, std::string_view word)
{
  if (word.empty()) {
    return false;
  }
  return same(word, "all") || same(word, name_of(op.level)) ||
         same(word, op.code.substr(0, word.size())) || same(word, op.name) ||
         same(word, op.acronym);
}

std::string did_you_mean_operator(std::string_view word)
{
  std::vector<std::string> known;
  for (const Operator* op : all_operators()) {
    known.emplace_back(op->code);
    known.emplace_back(op->name);
    if (!op->acronym.empty()) {
      known.emplace_back(op->acronym);
    }
  }
  for (const Level level : {Level::source, Level::dl, Level::weights}) {
    known.emplace_back(name_of(level));
  }
  return did_you_mean(word, known);
}

Result<std::vector<const Operator*>> select_operators(const std::vector<std::string>& words)
{
  for (const std::string& word : words) {
    if (std::ranges::none_of(all_operators(),
                             [&word](const Operator* op) { return matches(*op, word); })) {
      const std::string guess = did_you_mean_operator(word);
      return Error{ErrorKind::usage,
                   format("unknown operator `{}`{}",
                          word,
                          guess.empty() ? "; see `faultline operators`" : guess)};
    }
  }
  std::vector<const Operator*> chosen;
  for (const Operator* op : all_operators()) {
    if (std::ranges::any_of(words, [op](const std::string& word) { return matches(*op, word); })) {
      chosen.push_back(op);
    }
  }
  return chosen;
}

} // namespace faultline::inject
