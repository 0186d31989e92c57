#include "base/shell.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <vector>

namespace faultline {

std::string shell_word(std::string_view word)
{
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("%+,-./:=@_").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) {
    return std::string(word);
  }
  return "'" + replace_all(std::string(word), "'", "'\\''") + "'";
}

std::string shell_line(std::span<const std::string> words)
{
  std::vector<std::string> quoted;
  for (const std::string& word : words) {
    quoted.push_back(shell_word(word));
  }
  return join(quoted, " ");
}

} // namespace faultline
