#pragma once

#include "catalog/fault.hpp"

#include <string>

namespace faultline::catalog {

// The searchable text of a fault, most important first.
struct Document {
  std::string title;
  std::string text;
  std::string labels;
  std::string code;
};

Document document_of(const Fault& fault);

// Turns every run of word characters into a quoted prefix query, so that nothing the user types is
// FTS5 syntax. Empty if there is no word.
std::string quoted_query(const std::string& words);

} // namespace faultline::catalog
