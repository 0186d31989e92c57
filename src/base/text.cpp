#include "base/text.hpp"

#include "base/character.hpp"
#include "base/format.hpp"

#include <algorithm>

namespace faultline {

std::vector<std::string_view> split(std::string_view text, char separator)
{
  std::vector<std::string_view> parts;
  size_t begin = 0;
  while (true) {
    const size_t end = text.find(separator, begin);
    if (end == std::string_view::npos) {
      parts.push_back(text.substr(begin));
      return parts;
    }
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

std::vector<std::string_view> split_lines(std::string_view text)
{
  std::vector<std::string_view> lines = split_keeping_ends(text);
  for (std::string_view& line : lines) {
    if (line.ends_with('\n')) {
      line.remove_suffix(1);
    }
  }
  return lines;
}

std::vector<std::string_view> split_keeping_ends(std::string_view text)
{
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const size_t length = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

std::string_view trim(std::string_view text)
{
  constexpr std::string_view k_space = " \t\r\n";
  const size_t begin = text.find_first_not_of(k_space);
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(k_space) - begin + 1);
}

std::string join(std::span<const std::string> parts, std::string_view separator)
{
  std::string text;
  for (const std::string& part : parts) {
    if (&part != parts.data()) {
      text += separator;
    }
    text += part;
  }
  return text;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to)
{
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string count_of(size_t n, std::string_view noun)
{
  return format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

size_t display_width(std::string_view text)
{
  size_t width = 0;
  while (!text.empty()) {
    if (text.front() == '\x1b') {
      text.remove_prefix(std::min(text.find('m'), text.size() - 1) + 1);
      continue;
    }
    const Character character = first_character(text);
    width += character.width();
    text.remove_prefix(character.bytes.size());
  }
  return width;
}

std::string wrap(std::string_view text, size_t width, size_t indent, size_t start)
{
  std::string wrapped;
  size_t column = start;
  bool line_has_word = false;
  for (const std::string_view word : split(text, ' ')) {
    const size_t needed = display_width(word);
    if (line_has_word && column + 1 + needed > width) {
      wrapped += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (line_has_word) {
      wrapped += ' ';
      ++column;
    }
    wrapped += word;
    column += needed;
    line_has_word = line_has_word || needed > 0;
  }
  return wrapped;
}

size_t edit_distance(std::string_view a, std::string_view b)
{
  std::vector<size_t> before_last;
  std::vector<size_t> last(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) {
    last[j] = j;
  }
  for (size_t i = 1; i <= a.size(); ++i) {
    std::vector<size_t> row(b.size() + 1);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    before_last = std::move(last);
    last = std::move(row);
  }
  return last[b.size()];
}

std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates)
{
  std::optional<std::string> best;
  size_t best_distance = std::max<size_t>(2, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const size_t least =
        std::max(name.size(), candidate.size()) - std::min(name.size(), candidate.size());
    if (least >= best_distance) {
      continue;
    }
    const size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> candidates)
{
  const std::optional<std::string> guess = nearest(name, candidates);
  return guess ? format(", did you mean `{}`?", *guess) : std::string();
}

std::string to_valid_utf8(std::string_view bytes)
{
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const Character character = first_character(bytes);
    const bool is_wrong = character.bytes.size() == 1 && character.code >= 0x80;
    text += is_wrong ? "\xEF\xBF\xBD" : character.bytes;
    bytes.remove_prefix(character.bytes.size());
  }
  return text;
}

} // namespace faultline
