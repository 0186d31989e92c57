#pragma once

#include "base/json.hpp"
#include "catalog/fault.hpp"

namespace faultline::catalog {

// A fault with all its texts, as a page about it needs them: full_json, and every file of both
// versions, the fix as one diff, the test, and how to get it all onto one's own machine.
Json detail_json(const Fault& fault, int support);

} // namespace faultline::catalog
