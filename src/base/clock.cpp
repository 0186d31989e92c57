#include "base/clock.hpp"

#include "base/format.hpp"

#include <fmt/chrono.h>

#include <chrono>
#include <cmath>

namespace faultline {

double monotonic_seconds()
{
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

std::string utc_now()
{
  return format(
      "{:%Y-%m-%dT%H:%M:%SZ}",
      fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

std::string print_duration(double seconds)
{
  if (seconds < 9.95) {
    return format("{:.1f} s", seconds);
  }
  const auto whole = std::lround(seconds);
  return whole < 60 ? format("{} s", whole) : format("{} min {} s", whole / 60, whole % 60);
}

} // namespace faultline
