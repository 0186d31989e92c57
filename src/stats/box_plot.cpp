#include "stats/box_plot.hpp"

#include "base/result.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::stats {

static std::vector<double> sorted_copy(std::span<const double> sample)
{
  FL_ASSERT(!sample.empty(), "a quantile of nothing is undefined");
  FL_ASSERT(std::ranges::all_of(sample, [](double value) { return std::isfinite(value); }),
            "values are finite");
  std::vector<double> sorted(sample.begin(), sample.end());
  std::ranges::sort(sorted);
  return sorted;
}

static double quantile_of_sorted(const std::vector<double>& sorted, double q)
{
  FL_ASSERT(q >= 0 && q <= 1, "a quantile is asked for by a share");
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

double quantile(std::span<const double> sample, double q)
{
  return quantile_of_sorted(sorted_copy(sample), q);
}

BoxPlot box_plot(std::span<const double> sample)
{
  const std::vector<double> sorted = sorted_copy(sample);
  BoxPlot box;
  box.minimum = sorted.front();
  box.lower_quartile = quantile_of_sorted(sorted, 0.25);
  box.median = quantile_of_sorted(sorted, 0.5);
  box.upper_quartile = quantile_of_sorted(sorted, 0.75);
  box.maximum = sorted.back();
  const double reach = 1.5 * (box.upper_quartile - box.lower_quartile);
  const auto first = std::ranges::lower_bound(sorted, box.lower_quartile - reach);
  const auto last = std::ranges::upper_bound(sorted, box.upper_quartile + reach);
  box.below.assign(sorted.begin(), first);
  box.above.assign(last, sorted.end());
  // A quartile lies between two values, of which the fences keep at least one each.
  box.lower_whisker = *first;
  box.upper_whisker = *std::prev(last);
  return box;
}

} // namespace faultline::stats
