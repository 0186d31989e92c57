#pragma once

#include <string>
#include <string_view>

namespace faultline::report {

// The page of a rule, symptom or operator for people. Its examples are its tests: the marks that
// say what a test expects go, and a trace in JSON becomes a table.
std::string readable_page(std::string_view page);

} // namespace faultline::report
