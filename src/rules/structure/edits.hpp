#pragma once

// Edits of calls, for fixes.

#include "rules/reporter.hpp"

namespace faultline::rules {

// Pass `value` as the argument `name` of a call: what is written there is replaced, or the argument
// is added as the last one. Nothing if the call's text is not a plain call.
void set_argument(const Program& program,
                  const Call& call,
                  std::string_view name,
                  std::string_view value,
                  Draft& draft);

} // namespace faultline::rules
