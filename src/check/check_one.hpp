#pragma once

#include "check/outcome.hpp"
#include "rules/rule.hpp"

#include <span>

namespace faultline::check {

// Read, interpret and judge one program. Never fails: what goes wrong is in the outcome.
Outcome check_one(const Subject& subject, std::span<const rules::Rule* const> rules);

} // namespace faultline::check
