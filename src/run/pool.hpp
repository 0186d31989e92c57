#pragma once

#include "run/interrupt.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace faultline::run {

// Call `work(state, i)` for every i below `count` on `workers` threads, each with its own state,
// made by `make_state` in that thread. Hands out no more work once the user interrupts.
template <typename MakeState, typename Work>
void for_each_parallel(size_t count, size_t workers, const MakeState& make_state, const Work& work)
{
  std::atomic<size_t> next = 0;
  const auto loop = [&] {
    auto state = make_state();
    for (size_t i = next++; i < count && !interrupted(); i = next++) {
      work(state, i);
    }
  };
  std::vector<std::thread> threads;
  for (size_t i = 0; i < std::clamp<size_t>(workers, 1, std::max<size_t>(count, 1)); ++i) {
    threads.emplace_back(loop);
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

} // namespace faultline::run
