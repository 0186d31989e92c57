#include "catalog/text_document.hpp"

#include <cctype>

namespace faultline::catalog {

Document document_of(const Fault& fault)
{
  Document document;
  document.title = fault.id + " " + fault.title;
  document.text = fault.summary + " " + fault.general + " " + fault.origin.url + " " +
                  fault.origin.record + " " + fault.realism.note;
  for (const Part& part : fault.parts) {
    document.title += " " + part.title;
    for (const std::string& value : part.labels.values) {
      document.labels += " " + value;
    }
    document.code += source::print_patch(part.patch);
  }
  for (const auto& [path, content] : fault.program) {
    document.code += content;
  }
  return document;
}

std::string quoted_query(const std::string& words)
{
  std::string query;
  bool inside = false;
  for (const char c : words) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || byte >= 0x80 || c == '_') {
      query += inside ? "" : "\"";
      query += c;
      inside = true;
    } else if (inside) {
      query += "\"* ";
      inside = false;
    }
  }
  return inside ? query + "\"*" : query;
}

} // namespace faultline::catalog
