#pragma once

#include <string>

namespace faultline {

// Seconds since an arbitrary moment; never decreases.
double monotonic_seconds();

// The time now as "2026-11-16T09:30:00Z".
std::string utc_now();

// "0.4 s", "12 s", "3 min 20 s".
std::string print_duration(double seconds);

} // namespace faultline
