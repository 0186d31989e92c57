#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

// A CSV file (RFC 4180) with a header line. A leading byte order mark is skipped.
class CsvTable {
public:
  static Result<CsvTable> read(const std::filesystem::path& file);
  // `name` stands for the file in messages.
  static Result<CsvTable> parse(std::string_view text, const std::string& name);

  size_t size() const { return m_rows.size(); }
  // As the header names them, in no particular order.
  std::vector<std::string> columns() const;
  // An error that names the first of `columns` that the file lacks.
  Result<void> require(const std::vector<std::string>& columns) const;
  // `column` is one that was required.
  const std::string& at(size_t row, std::string_view column) const;
  // "file:line" of a row.
  std::string place(size_t row) const;

private:
  struct Row {
    size_t line = 0;
    std::vector<std::string> fields;
  };

  std::string m_name;
  std::map<std::string, size_t, std::less<>> m_columns;
  std::vector<Row> m_rows;
};

} // namespace faultline
