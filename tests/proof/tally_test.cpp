#include "proof/tally.hpp"

#include <gtest/gtest.h>

namespace faultline::proof {

static Proof with(bool proved, bool flaky, std::vector<MissingRun> missing = {})
{
  Proof proof;
  proof.proved = proved;
  proof.flaky = flaky;
  proof.missing = std::move(missing);
  proof.runs = 6;
  return proof;
}

TEST(Tally, CountsEachFaultOnce)
{
  const MissingRun lost{Purpose::buggy, 0, "", "no python3"};
  const Tally count = tally({with(true, false),
                             with(false, false),
                             with(false, true),
                             with(false, false, {lost}),
                             with(false, true, {lost, lost})});
  EXPECT_EQ(count.total, 5U);
  EXPECT_EQ(count.proved, 1U);
  EXPECT_EQ(count.failed, 1U);
  EXPECT_EQ(count.flaky, 1U);
  EXPECT_EQ(count.not_run, 2U);
  EXPECT_EQ(count.proved + count.failed + count.flaky + count.not_run, count.total);
  EXPECT_EQ(count.runs, 30U);
}

} // namespace faultline::proof
