#pragma once

// What an operator may be set to.

#include "base/result.hpp"
#include "inject/operator.hpp"

#include <string_view>

namespace faultline::inject {

// An error that says what `op` takes if `value` is not that, or if it has no setting at all.
Result<void> check_setting(const Operator& op, std::string_view value);

} // namespace faultline::inject
