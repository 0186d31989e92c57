#pragma once

#include "catalog/fault.hpp"

#include <string>

namespace faultline::catalog {

// What of a fault can be searched for, the weightier texts first.
struct Document {
  std::string title;
  std::string text;
  std::string labels;
  std::string code;
};

Document document_of(const Fault& fault);

// Every run of letters, digits and other word characters as a quoted prefix query, so that nothing
// the user types is syntax to FTS5. Empty if there is no word.
std::string quoted_query(const std::string& words);

} // namespace faultline::catalog
