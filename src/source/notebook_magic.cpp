#include "base/text.hpp"
#include "source/notebook.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace faultline::source {

namespace {

// Follows brackets and strings from line to line: a line that begins inside of one is no statement,
// even if it begins with `%`.
class Nesting {
public:
  bool at_statement() const { return m_depth == 0 && m_quote.empty() && !m_continued; }

  void read(std::string_view line)
  {
    m_continued = false;
    for (size_t i = 0; i < line.size();) {
      if (!m_quote.empty()) {
        i += inside_string(line.substr(i));
        continue;
      }
      const char c = line[i];
      if (c == '#') {
        break;
      }
      if (c == '"' || c == '\'') {
        m_quote = std::string(line.substr(i, 3) == std::string(3, c) ? 3 : 1, c);
        i += m_quote.size();
        continue;
      }
      m_depth += c == '(' || c == '[' || c == '{' ? 1 : 0;
      m_depth -= m_depth > 0 && (c == ')' || c == ']' || c == '}') ? 1 : 0;
      m_continued = c == '\\' && trim(line.substr(i + 1)).empty();
      ++i;
    }
    if (m_quote.size() == 1) {
      m_quote.clear(); // such a string ends with its line
    }
  }

private:
  // How far to go; leaves the string if it ends here.
  size_t inside_string(std::string_view rest)
  {
    if (rest.front() == '\\') {
      return std::min<size_t>(2, rest.size());
    }
    if (rest.starts_with(m_quote)) {
      const size_t length = m_quote.size();
      m_quote.clear();
      return length;
    }
    return 1;
  }

  size_t m_depth = 0;
  std::string m_quote; // that the string we are in ends with
  bool m_continued = false;
};

bool is_name(char c)
{
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The cell goes on in Python below these, in another language below all others.
bool is_python_magic(std::string_view name)
{
  static constexpr std::array<std::string_view, 7> k_names = {
      "time", "timeit", "capture", "prun", "python", "python3", "memit"};
  return std::ranges::find(k_names, name) != k_names.end();
}

// `files = !ls`: where the magic begins, the size of the line if there is none.
size_t assigned_magic(std::string_view line)
{
  const size_t sign = line.find('=');
  if (sign == std::string_view::npos || !std::ranges::all_of(line.substr(0, sign), [](char c) {
        return is_name(c) || c == ' ' || c == '\t' || c == ',' || c == '.';
      })) {
    return line.size();
  }
  const size_t value = line.find_first_not_of(" \t", sign + 1);
  const bool is_magic =
      value != std::string_view::npos && (line[value] == '!' || line[value] == '%');
  return is_magic ? value : line.size();
}

bool is_magic(std::string_view statement)
{
  if (statement.starts_with('%') || statement.starts_with('!') || statement.starts_with('?')) {
    return true;
  }
  // `model.fit?`
  return statement.ends_with('?') && statement.find_first_of("#'\"") == std::string_view::npos;
}

// Replace the character at `at`, all its bytes.
void comment_out(std::string& line, size_t at)
{
  do {
    if (at < line.size()) {
      line[at++] = '#';
    }
  } while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80U);
}

// A comment in place of the statement. Where a block needs one, `pass` keeps it whole.
void blank(std::string& line)
{
  const size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos) {
    return;
  }
  constexpr std::string_view k_pass = "pass #";
  const size_t length = line.size() - begin;
  if (begin > 0 && length >= k_pass.size()) {
    line.replace(begin, k_pass.size(), k_pass);
  } else {
    comment_out(line, begin);
  }
}

} // namespace

std::string without_magics(std::string_view source)
{
  std::string text;
  Nesting nesting;
  bool foreign = false; // the rest of the cell is not Python
  bool goes_on = false; // the magic of the line before does
  bool first = true;
  for (const std::string_view whole : split_keeping_ends(source)) {
    const bool has_end = whole.ends_with('\n');
    std::string line(whole.substr(0, whole.size() - (has_end ? 1 : 0)));
    const std::string_view statement = trim(line);
    if (first && statement.starts_with("%%")) {
      const auto end = std::ranges::find_if_not(statement.substr(2), is_name);
      foreign = !is_python_magic(
          {statement.data() + 2, static_cast<size_t>(end - statement.begin()) - 2});
    }
    if (!statement.empty()) {
      first = false;
    }
    if (foreign || goes_on) {
      goes_on = statement.ends_with('\\');
      comment_out(line, 0);
    } else if (nesting.at_statement() && is_magic(statement)) {
      goes_on = statement.ends_with('\\');
      blank(line);
    } else {
      const size_t magic = nesting.at_statement() ? assigned_magic(line) : line.size();
      if (magic < line.size()) {
        goes_on = statement.ends_with('\\');
        line[magic] = '_'; // a value that is not known
        if (magic + 1 < line.size()) {
          line[magic + 1] = '#';
        }
      }
      nesting.read(line);
    }
    text += line + (has_end ? "\n" : "");
  }
  return text;
}

} // namespace faultline::source
