#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace faultline::source {

// A place as people count: both from 1, the column in characters.
struct LineColumn {
  size_t line = 1;
  size_t column = 1;

  friend bool operator==(const LineColumn&, const LineColumn&) = default;
};

// Finds lines and columns of byte offsets. Looks at the text, which must outlive it.
class LineIndex {
public:
  explicit LineIndex(std::string_view text);

  // Offsets behind the end of the text are its end.
  LineColumn at(size_t byte) const;
  // The offset of a place; columns behind the end of the line are its end.
  size_t byte_of(LineColumn place) const;

  size_t line_count() const { return m_starts.size(); }
  // Line `number`, from 1, without its end; nothing if there is no such line.
  std::string_view line(size_t number) const;
  size_t line_begin(size_t number) const; // offset of its first byte; the text's size if none

private:
  std::string_view m_text;
  std::vector<size_t> m_starts;
};

} // namespace faultline::source
