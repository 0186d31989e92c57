#pragma once

#include "base/terminal.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace faultline::report {

enum class Align { left, right };

struct Column {
  std::string header;
  Align align = Align::left;
  Colour colour = Colour::plain;
};

// Rows of text in aligned columns. The last column gives way when the table is wider than allowed.
class TextTable {
public:
  explicit TextTable(std::vector<Column> columns) : m_columns(std::move(columns)) {}

  void add(std::vector<std::string> cells);
  bool empty() const { return m_rows.empty(); }

  // `width` 0: as wide as it gets.
  std::string print(const Painter& paint, size_t width = 0) const;

private:
  std::vector<Column> m_columns;
  std::vector<std::vector<std::string>> m_rows;
};

// "██████▌": `share` (0 to 1) of `cells` columns.
std::string bar(double share, size_t cells);

std::string print_p(double p); // "0.031", "< 0.001"

} // namespace faultline::report
