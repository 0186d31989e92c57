#pragma once

#include "rules/rule.hpp"

namespace faultline::rules {

// The dropout is not switched off by a rate of 0 or by keeping everything.
bool drops_units(const Call& dropout);

} // namespace faultline::rules
