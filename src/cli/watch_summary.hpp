#pragma once

#include "watch/session.hpp"

#include <optional>
#include <string>

namespace faultline::cli {

struct WatchSummary {
  source::Severity least = source::Severity::warning; // the lowest severity that is shown
  std::optional<source::Severity> stop_on;
};

// The line at the end of `watch`: what was found in how many steps, what is not shown, and how the
// program ended unless it succeeded.
std::string watch_summary(const watch::Outcome& outcome, const WatchSummary& wanted);

} // namespace faultline::cli
