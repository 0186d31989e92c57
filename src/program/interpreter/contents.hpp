#pragma once

// What containers hold after a branch or a loop, from what they held on each way.

#include "program/machine/machine.hpp"
#include "program/values/trail.hpp"

#include <vector>

namespace faultline::program {

// Either of the outcomes of a branch; a way that did not touch a container leaves it as it is now.
void keep_either(Machine& m, const std::vector<Contents>& outcomes);

// What a second trip round the loop still changed may take any such value.
void widen(Machine& m, const Contents& before);

} // namespace faultline::program
