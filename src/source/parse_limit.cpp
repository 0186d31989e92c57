#include "source/parse_limit.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace faultline::source {

namespace {

bool is_word(char c)
{
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Counts tokens that may wait. A comma ends what waits since the bracket around it was opened; the
// end of a line ends all, unless it is inside of brackets.
class Waiting {
public:
  explicit Waiting(std::string_view text) : m_text(text) {}

  size_t length()
  {
    while (m_at < m_text.size()) {
      const char c = m_text[m_at];
      if (c == '\'' || c == '"') {
        skip_string(c);
      } else if (c == '#') {
        m_at = std::min(m_text.find('\n', m_at), m_text.size());
      } else if (is_word(c)) {
        skip_word();
        ++m_waiting;
      } else {
        sign(c);
        ++m_at;
      }
      if (m_waiting > k_most) {
        return m_statement;
      }
    }
    return m_text.size();
  }

private:
  static constexpr size_t k_most = 20'000;

  void sign(char c)
  {
    if (c == '(' || c == '[' || c == '{') {
      m_open.push_back(++m_waiting);
    } else if (c == ')' || c == ']' || c == '}') {
      if (!m_open.empty()) {
        m_waiting = m_open.back();
        m_open.pop_back();
      } else {
        ++m_waiting;
      }
    } else if (c == ',') {
      m_waiting = m_open.empty() ? m_waiting : m_open.back();
    } else if ((c == '\n' && !is_continued()) || c == ';') {
      if (m_open.empty()) {
        m_waiting = 0;
        m_statement = m_at + 1;
      }
    } else if (c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != '.') {
      ++m_waiting;
    }
  }

  bool is_continued() const { return m_at > 0 && m_text[m_at - 1] == '\\'; }

  void skip_word()
  {
    while (m_at < m_text.size() && is_word(m_text[m_at])) {
      ++m_at;
    }
  }

  void skip_string(char quote)
  {
    const bool triple = m_text.substr(m_at, 3) == std::string_view(quote == '"' ? "\"\"\"" : "'''");
    m_at += triple ? 3 : 1;
    for (; m_at < m_text.size(); ++m_at) {
      if (m_text[m_at] == '\\') {
        ++m_at;
      } else if (!triple && (m_text[m_at] == quote || m_text[m_at] == '\n')) {
        m_at += m_text[m_at] == quote ? 1 : 0;
        return;
      } else if (triple && m_text[m_at] == quote &&
                 m_text.substr(m_at, 2) == m_text.substr(m_at + 1, 2)) {
        m_at += 3;
        return;
      }
    }
    m_at = m_text.size();
  }

  std::string_view m_text;
  size_t m_at = 0;
  size_t m_waiting = 0;
  size_t m_statement = 0;     // where the statement began
  std::vector<size_t> m_open; // what was waiting when each open bracket was opened
};

} // namespace

size_t parsable_length(std::string_view text, Language language)
{
  return language == Language::python ? Waiting(text).length() : text.size();
}

} // namespace faultline::source
