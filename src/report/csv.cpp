#include "report/csv.hpp"

#include "base/text.hpp"

namespace faultline::report {

std::string csv_line(std::span<const std::string> fields)
{
  std::string line;
  for (size_t i = 0; i < fields.size(); ++i) {
    const std::string& field = fields[i];
    const bool quoted = field.find_first_of(",\"\r\n") != std::string::npos;
    line += i > 0 ? "," : "";
    line += quoted ? "\"" + replace_all(field, "\"", "\"\"") + "\"" : field;
  }
  return line + "\n";
}

} // namespace faultline::report
