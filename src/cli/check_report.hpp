#pragma once

#include "base/terminal.hpp"
#include "check/checker.hpp"
#include "cli/check_options.hpp"

#include <string>

namespace faultline::cli {

// The findings to show, in the chosen format.
std::string render(const check::Report& report,
                   const std::vector<source::Finding>& shown,
                   const CheckOptions& options,
                   const Painter& paint);

// "3 files analysed, 1 of them partly (first: … at a.py:3:5), 1 unreadable."
std::string coverage_line(const check::Report& report);

} // namespace faultline::cli
