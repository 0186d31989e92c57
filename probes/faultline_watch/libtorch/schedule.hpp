#pragma once

// Which steps are looked at closely: by number, as in the other probes.

#include <cstdint>

namespace faultline_watch {

constexpr const char* k_libtorch_version = "1.13.1";

inline bool is_due(uint32_t step, uint32_t every)
{
  if (every > 0) {
    return step % every == 0;
  }
  return step < 5 || (step <= 50 && step % 5 == 0) || (step <= 200 && step % 10 == 0) ||
         step % 50 == 0;
}

// Data seldom change, and looking costs.
inline bool tells_data(uint32_t step)
{
  return step < 5 || step % 50 == 0;
}

} // namespace faultline_watch
