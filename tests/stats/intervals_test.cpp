#include "stats/intervals.hpp"
#include "stats/two_samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace faultline::stats {

using Sample = std::vector<double>;

// Efron and Tibshirani (1993), table 14.1: the first spatial test of 26 children.
static const Sample k_children = {48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6,
                                  0,  33, 28, 34, 4,  32, 24, 47, 41, 24, 26, 30, 41};

// With n in the denominator, as theirs.
static double plain_variance(std::span<const double> sample)
{
  const auto n = static_cast<double>(sample.size());
  return variance(sample) * (n - 1) / n;
}

TEST(Intervals, WilsonAgreesWithPublishedValues)
{
  // Newcombe (1998), table I, method 3.
  const auto check = [](size_t successes, size_t trials, double low, double high) {
    const Interval interval = wilson(successes, trials);
    EXPECT_NEAR(interval.low, low, 5e-5) << successes << " of " << trials;
    EXPECT_NEAR(interval.high, high, 5e-5) << successes << " of " << trials;
  };
  check(81, 263, 0.2553, 0.3662);
  check(15, 148, 0.0624, 0.1605);
  check(0, 20, 0, 0.1611);
  check(1, 29, 0.0061, 0.1718);
}

TEST(Intervals, WilsonIsDefinedForNoneAndAll)
{
  EXPECT_EQ(wilson(0, 0).low, 0);
  EXPECT_EQ(wilson(0, 0).high, 1);
  EXPECT_EQ(wilson(0, 5).low, 0);
  EXPECT_EQ(wilson(5, 5).high, 1);
  EXPECT_NEAR(wilson(5, 5).low, 1 - wilson(0, 5).high, 1e-15);
}

TEST(Intervals, BootstrapAgreesWithPublishedValues)
{
  // Efron and Tibshirani (1993), table 14.2: the variance is 171.5, its BCa interval of 90 % goes
  // from 115.8 to 259.6. Theirs and ours are random, hence the tolerance of 3 %.
  EXPECT_NEAR(plain_variance(k_children), 171.5, 0.05);
  const Interval interval =
      bootstrap(k_children, plain_variance, {.level = 0.9, .resamples = 20000, .seed = 1});
  EXPECT_NEAR(interval.low, 115.8, 115.8 * 0.03);
  EXPECT_NEAR(interval.high, 259.6, 259.6 * 0.03);
}

TEST(Intervals, BootstrapRepeatsItselfWithTheSameSeed)
{
  const auto run = [](uint64_t seed) {
    return bootstrap(k_children, mean, {.level = 0.95, .resamples = 500, .seed = seed});
  };
  EXPECT_EQ(run(7).low, run(7).low);
  EXPECT_EQ(run(7).high, run(7).high);
  EXPECT_NE(run(7).low, run(8).low);
}

TEST(Intervals, BootstrapOfEqualValuesHasNoWidth)
{
  for (const Sample& sample : {Sample{0.1}, Sample{0.1, 0.1, 0.1}}) {
    const Interval interval = bootstrap(sample, mean);
    EXPECT_EQ(interval.low, 0.1);
    EXPECT_EQ(interval.high, 0.1);
  }
}

TEST(Intervals, BootstrapFallsBackToPercentiles)
{
  // 100 on the sample itself and at most 3 on what is drawn from it, so that BCa is undefined.
  const Statistic far_off = [](std::span<const double> sample) {
    return sample.size() == 3 && sample[0] == 1 && sample[1] == 2 && sample[2] == 3 ? 100.0
                                                                                    : sample[0];
  };
  const Interval interval =
      bootstrap(Sample{1, 2, 3}, far_off, {.level = 0.5, .resamples = 3, .seed = 1});
  EXPECT_LE(interval.low, interval.high);
  EXPECT_GE(interval.low, 1);
  EXPECT_LE(interval.high, 3);
}

TEST(IntervalsDeathTest, RefusesWhatHasNoInterval)
{
  EXPECT_DEATH(wilson(3, 2), "no more successes");
  EXPECT_DEATH(wilson(1, 2, 1.0), "level");
  EXPECT_DEATH(bootstrap(Sample{}, mean), "needs a value");
  EXPECT_DEATH(bootstrap(Sample{1, std::nan("")}, mean), "NaN");
}

} // namespace faultline::stats
