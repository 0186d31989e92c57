#pragma once

#include "catalog/fault.hpp"
#include "rules/rule.hpp"

#include <span>
#include <string>
#include <vector>

namespace faultline::evaluate {

// What the static rules say about the two versions of a fault.
struct StaticCheck {
  bool applies = false;           // the program is Python
  bool reported = false;          // some rule has more errors and warnings on the buggy version
  std::vector<std::string> rules; // which; the finding is gone on the fixed version
};

// Check every file of both versions. Findings of level info do not count.
Result<StaticCheck> static_check(const catalog::Fault& fault,
                                 std::span<const rules::Rule* const> rules);

} // namespace faultline::evaluate
