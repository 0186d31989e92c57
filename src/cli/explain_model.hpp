#pragma once

#include "base/terminal.hpp"
#include "check/checker.hpp"
#include "cli/check_options.hpp"

#include <string>
#include <vector>

namespace faultline::cli {

// What `check --explain-model` prints: every model of every subject, as text or as JSON. Files that
// cannot be read are added to `unreadable`.
Result<std::string> explain_models(const std::vector<check::Subject>& subjects,
                                   const CheckOptions& options,
                                   const Painter& paint,
                                   std::vector<check::Unreadable>& unreadable);

} // namespace faultline::cli
