#pragma once

#include "base/terminal.hpp"

#include <string>
#include <string_view>

namespace faultline::report {

// A unified diff in colour: headers bold, places cyan, removed red, added green.
std::string paint_diff(std::string_view diff, const Painter& paint);

} // namespace faultline::report
