#pragma once

#include "program/names/api.hpp"

#include <string_view>
#include <vector>

namespace faultline::program {

// "a, b=(1, 2), *args, c='x', **kwargs" → one Parameter each; a lone `*` makes the rest
// keyword-only.
std::vector<Parameter> parse_signature(std::string_view signature);

} // namespace faultline::program
