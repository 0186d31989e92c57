#pragma once

// Jupyter notebooks as programs: the code cells one after the other.

#include "base/result.hpp"
#include "source/edit.hpp"
#include "source/finding.hpp"
#include "source/syntax.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::source {

class Notebook {
public:
  // Versions 3 and 4 of the format. An error if it is no notebook, or one of another language.
  static Result<Notebook> parse(std::string json);

  // The code cells, each with a line feed at its end. What only IPython understands (`%matplotlib`,
  // `!pip`, `help?`, cells of another language) is a comment of the same length, so that every byte
  // is where it is in its cell.
  const std::string& text() const { return m_text; }

  // The cell (code cells count from 1) and line within it, from 1, of a line of `text()`.
  struct CellLine {
    size_t cell = 0;
    size_t line = 0;
  };
  CellLine cell_line(size_t line) const;
  size_t text_line(CellLine place) const; // the other way

  // A place in `text()` as a place in its cell. One that goes on in another cell ends with its own.
  Place locate(Place place) const;

  // The code cells as they were written, in the order of their numbers.
  std::vector<std::string> cells() const;

  // The bytes of the file that bytes of `text()` were written as.
  ByteRange in_json(ByteRange range) const;
  const std::string& json() const { return m_json; }

  // The notebook with edits of `text()` done; all else keeps its bytes. An edit that reaches beyond
  // its cell is an error.
  Result<std::string> apply(const std::vector<Edit>& edits) const;

private:
  struct Cell {
    ByteRange json; // of its source in the file
    size_t begin;   // in the text
    size_t end;     // without the line feed that was put behind it
    size_t line;    // first line in the text, from 1
    std::string source;
  };
  const Cell* cell_at(size_t byte) const;

  std::string m_json;
  std::string m_text;
  std::vector<Cell> m_cells;
};

// `source` of one cell as Python: lines for IPython only become comments of the same length.
std::string without_magics(std::string_view source);

} // namespace faultline::source
