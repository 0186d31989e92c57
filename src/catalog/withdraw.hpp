#pragma once

#include "catalog/fault.hpp"

namespace faultline::catalog {

// Note in the fault's own fault.toml that it is withdrawn. Everything else of it stays: its folder
// keeps the id from being given again, and `show` can still say what it was.
Result<void> withdraw(const Fault& fault, const Withdrawn& withdrawn);

} // namespace faultline::catalog
