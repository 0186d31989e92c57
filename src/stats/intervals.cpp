#include "stats/intervals.hpp"

#include "base/result.hpp"
#include "stats/box_plot.hpp"
#include "stats/two_samples.hpp"

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace faultline::stats {

static void check_level(double level)
{
  FL_ASSERT(level > 0 && level < 1, "a confidence level lies between 0 and 1");
}

Interval wilson(size_t successes, size_t trials, double level)
{
  check_level(level);
  FL_ASSERT(successes <= trials, "no more successes than trials");
  if (trials == 0) {
    return {0, 1};
  }
  const double z = boost::math::quantile(boost::math::normal(), (1 + level) / 2);
  const auto n = static_cast<double>(trials);
  const double share = static_cast<double>(successes) / n;
  const double scale = 1 + z * z / n;
  const double centre = (share + z * z / (2 * n)) / scale;
  const double reach = z / scale * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  // The ends of none and of all are exact; rounding would leave a speck.
  return {successes == 0 ? 0 : std::max(0.0, centre - reach),
          successes == trials ? 1 : std::min(1.0, centre + reach)};
}

// The statistic on `count` samples drawn from the sample, with replacement.
static std::vector<double>
resampled(std::span<const double> sample, const Statistic& statistic, size_t count, uint64_t seed)
{
  // The standard fixes what this generator gives, but not what its distributions make of it. The
  // remainder's bias is below 2^-32 for any sample that fits into memory.
  std::mt19937_64 random(seed);
  std::vector<double> drawn(sample.size());
  std::vector<double> replicates;
  replicates.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    for (double& value : drawn) {
      value = sample[random() % sample.size()];
    }
    replicates.push_back(statistic(drawn));
  }
  return replicates;
}

// How the statistic's spread changes with its value, from leaving out each value in turn.
static double acceleration(std::span<const double> sample, const Statistic& statistic)
{
  if (sample.size() < 2) {
    return 0;
  }
  std::vector<double> without;
  for (size_t left_out = 0; left_out < sample.size(); ++left_out) {
    std::vector<double> rest(sample.begin(), sample.end());
    rest.erase(rest.begin() + static_cast<long>(left_out));
    without.push_back(statistic(rest));
  }
  const double centre = mean(without);
  double squares = 0;
  double cubes = 0;
  for (const double value : without) {
    const double distance = centre - value;
    squares += distance * distance;
    cubes += distance * distance * distance;
  }
  return squares == 0 ? 0 : cubes / (6 * std::pow(squares, 1.5));
}

Interval bootstrap(std::span<const double> sample,
                   const Statistic& statistic,
                   const BootstrapOptions& options)
{
  check_level(options.level);
  FL_ASSERT(!sample.empty(), "the bootstrap needs a value");
  FL_ASSERT(options.resamples > 0, "the bootstrap draws samples");
  const std::vector<double> replicates =
      resampled(sample, statistic, options.resamples, options.seed);
  const double estimate = statistic(sample);
  const double tail = (1 - options.level) / 2;
  const Interval percentile = {quantile(replicates, tail), quantile(replicates, 1 - tail)};

  double below = 0; // replicates below the estimate, those equal to it counting half
  for (const double replicate : replicates) {
    below += replicate < estimate ? 1.0 : replicate == estimate ? 0.5 : 0.0;
  }
  const double share = below / static_cast<double>(replicates.size());
  if (share <= 0 || share >= 1) {
    return percentile;
  }
  const boost::math::normal normal;
  const double bias = boost::math::quantile(normal, share);
  const double skew = acceleration(sample, statistic);
  const auto corrected = [&](double of_tail) {
    const double z = bias + boost::math::quantile(normal, of_tail);
    return quantile(replicates, boost::math::cdf(normal, bias + z / (1 - skew * z)));
  };
  return {corrected(tail), corrected(1 - tail)};
}

} // namespace faultline::stats
