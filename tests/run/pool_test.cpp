#include "run/pool.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <set>

namespace faultline::run {

TEST(Pool, DoesEveryPieceOnceWithAStateForEachThread)
{
  std::mutex mutex;
  std::multiset<size_t> done;
  std::atomic<int> states = 0;
  for_each_parallel(
      100,
      4,
      [&states] { return ++states; },
      [&](int& state, size_t i) {
        EXPECT_GE(state, 1);
        const std::lock_guard lock(mutex);
        done.insert(i);
      });
  EXPECT_EQ(done.size(), 100U);
  EXPECT_EQ(std::set<size_t>(done.begin(), done.end()).size(), 100U);
  EXPECT_LE(states, 4);
}

TEST(Pool, TakesNoMoreThreadsThanPieces)
{
  std::atomic<int> states = 0;
  for_each_parallel(
      1, 8, [&states] { return ++states; }, [](int&, size_t) {});
  EXPECT_EQ(states, 1);
}

} // namespace faultline::run
