#pragma once

#include "watch/session.hpp"

#include <optional>
#include <string>

namespace faultline::cli {

struct WatchSummary {
  source::Severity least = source::Severity::warning; // the mildest findings that are shown
  std::optional<source::Severity> stop_on;
};

// The line at the end of `watch`: what was found in how many steps, what is not shown, and how the
// program ended if that was not well.
std::string watch_summary(const watch::Outcome& outcome, const WatchSummary& wanted);

} // namespace faultline::cli
