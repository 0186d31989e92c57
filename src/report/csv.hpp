#pragma once

#include <span>
#include <string>
#include <string_view>

namespace faultline::report {

// One line of RFC 4180 CSV, with "\n" at its end.
std::string csv_line(std::span<const std::string> fields);

} // namespace faultline::report
