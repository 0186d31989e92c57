#include "rules/suppression.hpp"

#include "base/text.hpp"
#include "rules/selection.hpp"

#include <algorithm>
#include <cctype>

namespace faultline::rules {

static bool is_word(char c)
{
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}

// "DL101, DL102 because …" → the words up to the first that is no list item any more. Text that
// does not begin with a word ("(legacy code)", "# noqa") is a remark.
static std::vector<std::string_view> words_of(std::string_view text)
{
  std::vector<std::string_view> words;
  text = trim(text);
  while (!text.empty() && is_word(text.front())) {
    const auto end = std::ranges::find_if_not(text, is_word);
    words.push_back(text.substr(0, static_cast<size_t>(end - text.begin())));
    text = trim(text.substr(words.back().size()));
    if (!text.starts_with(',')) {
      break;
    }
    text = trim(text.substr(1));
  }
  if (words.empty()) {
    words.push_back("all");
  }
  return words;
}

// What follows "faultline:" in a comment of this line; nothing if there is no such comment.
static std::string_view directive_of(std::string_view line)
{
  constexpr std::string_view k_mark = "faultline:";
  for (size_t at = line.find(k_mark); at != std::string_view::npos;
       at = line.find(k_mark, at + 1)) {
    if (trim(line.substr(0, at)).ends_with('#')) {
      return trim(line.substr(at + k_mark.size()));
    }
  }
  return {};
}

Suppressions::Suppressions(std::string_view text)
{
  if (text.find("faultline:") == std::string_view::npos) {
    return;
  }
  constexpr std::string_view k_file = "ignore-file";
  constexpr std::string_view k_line = "ignore";
  Words above; // asked for by the comment lines directly above
  size_t number = 0;
  for (const std::string_view line : split_lines(text)) {
    ++number;
    const std::string_view directive = directive_of(line);
    Words here;
    if (directive.starts_with(k_file)) {
      const Words words = words_of(directive.substr(k_file.size()));
      m_file.insert(m_file.end(), words.begin(), words.end());
    } else if (directive.starts_with(k_line)) {
      here = words_of(directive.substr(k_line.size()));
    }
    const bool comment_only = trim(line).starts_with('#');
    if (comment_only) {
      above.insert(above.end(), here.begin(), here.end());
      continue;
    }
    here.insert(here.end(), above.begin(), above.end());
    above.clear();
    if (!here.empty()) {
      m_lines[number] = std::move(here);
    }
  }
}

bool Suppressions::covers(const Rule& rule, size_t first_line, size_t last_line) const
{
  const auto wanted = [&rule](const Words& words) {
    return std::ranges::any_of(words, [&rule](std::string_view w) { return matches(rule, w); });
  };
  const auto on = [&](size_t line) {
    const auto found = m_lines.find(line);
    return found != m_lines.end() && wanted(found->second);
  };
  return wanted(m_file) || on(first_line) || on(last_line);
}

} // namespace faultline::rules
