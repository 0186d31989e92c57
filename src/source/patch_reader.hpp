#pragma once

// The lines of a patch while it is read. Part of parsing patches.

#include "base/format.hpp"
#include "base/text.hpp"
#include "source/patch.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace faultline::source {

class PatchReader {
public:
  PatchReader(std::string_view text, std::string_view name)
      : m_lines(split_lines(text)), m_name(name)
  {
  }

  bool at_end() const { return m_at == m_lines.size(); }
  void next() { ++m_at; }

  // The number of the current line, from 1.
  size_t number() const { return m_at + 1; }

  // The current line as content, byte for byte.
  std::string_view content() const { return m_lines[m_at]; }

  // The current line as a header: in a patch with Windows line ends it loses its "\r".
  std::string_view header() const
  {
    std::string_view line = content();
    line.remove_suffix(line.ends_with('\r') ? 1 : 0);
    return line;
  }

  bool at(std::string_view prefix) const { return !at_end() && header().starts_with(prefix); }

  bool next_is(std::string_view prefix) const
  {
    return m_at + 1 < m_lines.size() && m_lines[m_at + 1].starts_with(prefix);
  }

  Error fail(std::string_view what) const { return fail_at(number(), what); }

  Error fail_at(size_t number, std::string_view what) const
  {
    return {ErrorKind::bad_data, format("{}:{}: {}", m_name, number, what)};
  }

private:
  std::vector<std::string_view> m_lines;
  size_t m_at = 0;
  std::string m_name;
};

// Read the hunks that follow a file's header into `file`, whose action is known.
Result<void> parse_hunks(PatchReader& reader, FilePatch& file);

} // namespace faultline::source
