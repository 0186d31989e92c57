#include "base/clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline {

TEST(Clock, ADurationIsAsPreciseAsItsReaderCares)
{
  const std::vector<std::pair<double, std::string>> cases = {
      {0, "0.0 s"},
      {0.04, "0.0 s"},
      {0.42, "0.4 s"},
      {1, "1.0 s"},
      {9.94, "9.9 s"},
      {9.96, "10 s"}, // and not "10.0 s"
      {12.3, "12 s"},
      {59.4, "59 s"},
      {59.6, "1 min 0 s"}, // and not "60 s"
      {60, "1 min 0 s"},
      {200.2, "3 min 20 s"},
      {3599.9, "60 min 0 s"},
      {7325, "122 min 5 s"},
  };
  for (const auto& [seconds, expected] : cases) {
    EXPECT_EQ(print_duration(seconds), expected) << seconds;
  }
}

TEST(Clock, NeverGoesBack)
{
  double last = monotonic_seconds();
  for (int i = 0; i < 1000; ++i) {
    const double now = monotonic_seconds();
    EXPECT_GE(now, last);
    last = now;
  }
}

TEST(Clock, NowIsAnIsoDateInUtc)
{
  EXPECT_THAT(utc_now(),
              testing::MatchesRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"));
}

} // namespace faultline
