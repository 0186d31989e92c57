#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace faultline::stats {

struct Interval {
  double low = 0;
  double high = 0;
};

// Wilson's score interval of a proportion, without correction for continuity. It stays inside 0 to
// 1, also for none or all; of no trials nothing is known: 0 to 1.
Interval wilson(size_t successes, size_t trials, double level = 0.95);

using Statistic = std::function<double(std::span<const double>)>;

struct BootstrapOptions {
  double level = 0.95;
  size_t resamples = 9999;
  uint64_t seed = 1;
};

// The bootstrap confidence interval of `statistic`, bias-corrected and accelerated (Efron's BCa).
// The same seed gives the same interval on every machine. Where BCa is undefined (the estimate lies
// outside of all resamples) it is the percentile interval; a sample of one value, or of equal
// values, gives an interval of no width. The sample has a value at least, all finite, and the
// statistic is finite on every resample (refused by assertion otherwise).
Interval bootstrap(std::span<const double> sample,
                   const Statistic& statistic,
                   const BootstrapOptions& options = {});

} // namespace faultline::stats
