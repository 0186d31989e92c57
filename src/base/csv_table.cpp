#include "base/csv_table.hpp"

#include "base/file.hpp"
#include "base/format.hpp"
#include "base/text.hpp"

namespace faultline {

namespace {

// Reads one record after another and counts lines as an editor does.
class Records {
public:
  explicit Records(std::string_view text) : m_rest(text) {}

  bool done() const { return m_rest.empty(); }
  size_t line() const { return m_line; }

  // False if a quoted field is not closed.
  bool next(std::vector<std::string>& fields)
  {
    fields.assign(1, "");
    while (!m_rest.empty()) {
      const char c = take();
      if (c == '"' && fields.back().empty()) {
        if (!quoted(fields.back())) {
          return false;
        }
      } else if (c == ',') {
        fields.emplace_back();
      } else if (c == '\n') {
        return true;
      } else if (c != '\r') {
        fields.back() += c;
      }
    }
    return true;
  }

private:
  char take()
  {
    const char c = m_rest.front();
    m_rest.remove_prefix(1);
    m_line += c == '\n' ? 1 : 0;
    return c;
  }

  bool quoted(std::string& field)
  {
    while (!m_rest.empty()) {
      const char c = take();
      if (c != '"') {
        field += c;
      } else if (m_rest.starts_with('"')) {
        field += take();
      } else {
        return true;
      }
    }
    return false;
  }

  std::string_view m_rest;
  size_t m_line = 1;
};

} // namespace

Result<CsvTable> CsvTable::read(const std::filesystem::path& file)
{
  FL_TRY(const std::string text, read_file(file));
  return parse(text, file.string());
}

Result<CsvTable> CsvTable::parse(std::string_view text, const std::string& name)
{
  CsvTable table;
  table.m_name = name;
  constexpr std::string_view k_byte_order_mark = "\xEF\xBB\xBF"; // as spreadsheets write it
  if (text.starts_with(k_byte_order_mark)) {
    text.remove_prefix(k_byte_order_mark.size());
  }
  Records records(text);
  std::vector<std::string> header;
  if (records.done() || !records.next(header)) {
    return Error{ErrorKind::bad_data, format("{} has no header line", name)};
  }
  for (size_t i = 0; i < header.size(); ++i) {
    table.m_columns[header[i]] = i;
  }
  while (!records.done()) {
    Row row;
    row.line = records.line();
    if (!records.next(row.fields)) {
      return Error{ErrorKind::bad_data, format("{}:{}: a quoted field has no end", name, row.line)};
    }
    if (row.fields.size() != header.size()) {
      return Error{ErrorKind::bad_data,
                   format("{}:{}: {}, but the header has {}",
                          name,
                          row.line,
                          count_of(row.fields.size(), "field"),
                          header.size())};
    }
    table.m_rows.push_back(std::move(row));
  }
  return table;
}

std::vector<std::string> CsvTable::columns() const
{
  std::vector<std::string> names;
  for (const auto& [name, index] : m_columns) {
    names.push_back(name);
  }
  return names;
}

Result<void> CsvTable::require(const std::vector<std::string>& columns) const
{
  for (const std::string& column : columns) {
    if (!m_columns.contains(column)) {
      return Error{ErrorKind::bad_data, format("{} has no column `{}`", m_name, column)};
    }
  }
  return {};
}

const std::string& CsvTable::at(size_t row, std::string_view column) const
{
  const auto found = m_columns.find(column);
  FL_ASSERT(found != m_columns.end(), "only required columns are read");
  return m_rows.at(row).fields.at(found->second);
}

std::string CsvTable::place(size_t row) const
{
  return format("{}:{}", m_name, m_rows.at(row).line);
}

} // namespace faultline
