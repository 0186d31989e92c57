#include "stats/sampling.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace faultline::stats {

TEST(Sampling, AgreesWithPublishedTables)
{
  // Krejcie and Morgan (1970), table 1: confidence 95 %, margin 5 %.
  EXPECT_EQ(sample_size(100, 0.95, 0.05), 80U);
  EXPECT_EQ(sample_size(1000, 0.95, 0.05), 278U);
  EXPECT_EQ(sample_size(10000, 0.95, 0.05), 370U);
  EXPECT_EQ(sample_size(1000000, 0.95, 0.05), 384U);
  // Cochran (1977): 1.96² / (4 · 0.05²) = 384.16 of a population without end.
  EXPECT_EQ(sample_size(1000000000000, 0.95, 0.05), 385U);
  // The usual 99 %, 3 %: 2.576² / (4 · 0.03²) = 1843.03.
  EXPECT_EQ(sample_size(1000000000000, 0.99, 0.03), 1844U);
}

TEST(Sampling, NeverAsksForMoreThanThereIs)
{
  EXPECT_EQ(sample_size(0, 0.95, 0.05), 0U);
  EXPECT_EQ(sample_size(1, 0.95, 0.05), 1U);
  EXPECT_EQ(sample_size(20, 0.999, 0.001), 20U);
  EXPECT_EQ(sample_size(20, 0.5, 0.9), 1U);
}

TEST(Sampling, AShareFarFromHalfNeedsFewer)
{
  // 1.96² · 0.1 · 0.9 / 0.05² = 138.3.
  EXPECT_EQ(sample_size(1000000000000, 0.95, 0.05, 0.1), 139U);
}

TEST(SamplingDeathTest, RefusesLevelsAndMarginsThatAreNone)
{
  EXPECT_DEATH(sample_size(10, 1, 0.05), "level");
  EXPECT_DEATH(sample_size(10, 0.95, 0), "width");
  EXPECT_DEATH(sample_size(10, std::nan(""), 0.05), "level");
  EXPECT_DEATH(sample_size(10, 0.95, 0.05, 0), "proportion");
}

} // namespace faultline::stats
