#include "stats/two_samples.hpp"

#include "base/result.hpp"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace faultline::stats {

static void refuse_nan(std::span<const double> sample)
{
  FL_ASSERT(std::ranges::none_of(sample, [](double value) { return std::isnan(value); }),
            "a sample holds no NaN");
}

double mean(std::span<const double> sample)
{
  FL_ASSERT(!sample.empty(), "the mean of nothing is undefined");
  refuse_nan(sample);
  // Exact for equal values, which summing and dividing is not; so they have no variance either.
  if (std::ranges::all_of(sample, [&](double value) { return value == sample[0]; })) {
    return sample[0];
  }
  return std::accumulate(sample.begin(), sample.end(), 0.0) / static_cast<double>(sample.size());
}

double variance(std::span<const double> sample)
{
  if (sample.size() < 2) {
    return 0;
  }
  const double centre = mean(sample);
  double sum = 0;
  for (const double value : sample) {
    sum += (value - centre) * (value - centre);
  }
  return sum / static_cast<double>(sample.size() - 1);
}

double median(std::span<const double> sample)
{
  FL_ASSERT(!sample.empty(), "the median of nothing is undefined");
  refuse_nan(sample);
  std::vector<double> sorted(sample.begin(), sample.end());
  std::ranges::sort(sorted);
  const size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// `difference` of two means against its squared standard error.
static TestResult t_test(double difference, double spread, double freedom)
{
  if (spread == 0) {
    const double t =
        difference == 0 ? 0.0 : std::copysign(std::numeric_limits<double>::infinity(), difference);
    return {t, difference == 0 ? 1.0 : 0.0};
  }
  const double t = difference / std::sqrt(spread);
  const boost::math::students_t distribution(freedom);
  return {t, 2 * boost::math::cdf(boost::math::complement(distribution, std::abs(t)))};
}

// The variance of both samples together, each around its own mean.
static double pooled_variance(std::span<const double> a, std::span<const double> b)
{
  const auto n = static_cast<double>(a.size());
  const auto m = static_cast<double>(b.size());
  return n + m > 2 ? ((n - 1) * variance(a) + (m - 1) * variance(b)) / (n + m - 2) : 0;
}

TestResult student_t_test(std::span<const double> a, std::span<const double> b)
{
  const double difference = mean(a) - mean(b);
  const auto n = static_cast<double>(a.size());
  const auto m = static_cast<double>(b.size());
  return t_test(difference, pooled_variance(a, b) * (1 / n + 1 / m), n + m - 2);
}

TestResult welch_t_test(std::span<const double> a, std::span<const double> b)
{
  const double difference = mean(a) - mean(b);
  const double of_a = variance(a) / static_cast<double>(a.size());
  const double of_b = variance(b) / static_cast<double>(b.size());
  const double spread = of_a + of_b;
  const double freedom = spread * spread /
                         (of_a * of_a / static_cast<double>(std::max<size_t>(a.size() - 1, 1)) +
                          of_b * of_b / static_cast<double>(std::max<size_t>(b.size() - 1, 1)));
  return t_test(difference, spread, freedom);
}

// Samples whose product of sizes is at most this get the exact distribution of U.
constexpr size_t k_exact_product = 400;

// P(U <= u) if both samples come from one distribution without ties. The number of arrangements
// with a given U follows f(u; n, m) = f(u - m; n - 1, m) + f(u; n, m - 1); O(n * m * nm) in all.
static double exact_tail(size_t n, size_t m, size_t u)
{
  const size_t top = n * m;
  // ways[j][k]: arrangements of i values of the first sample and j of the second with U = k.
  std::vector<std::vector<double>> ways(m + 1, std::vector<double>(top + 1, 0.0));
  for (std::vector<double>& row : ways) {
    row[0] = 1;
  }
  for (size_t i = 1; i <= n; ++i) {
    std::vector<std::vector<double>> next(m + 1, std::vector<double>(top + 1, 0.0));
    next[0][0] = 1;
    for (size_t j = 1; j <= m; ++j) {
      for (size_t k = 0; k <= i * j; ++k) {
        next[j][k] = next[j - 1][k] + (k >= j ? ways[j][k - j] : 0.0);
      }
    }
    ways = std::move(next);
  }
  const double all = std::accumulate(ways[m].begin(), ways[m].end(), 0.0);
  const double below =
      std::accumulate(ways[m].begin(), ways[m].begin() + static_cast<long>(u) + 1, 0.0);
  return below / all;
}

TestResult mann_whitney(std::span<const double> a, std::span<const double> b)
{
  const auto n = static_cast<double>(a.size());
  const auto m = static_cast<double>(b.size());
  const double u = a12(a, b) * n * m;
  std::vector<double> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  std::ranges::sort(all);
  double ties = 0; // sum of t^3 - t over groups of t equal values
  for (size_t i = 0; i < all.size();) {
    size_t j = i;
    while (j < all.size() && all[j] == all[i]) {
      ++j;
    }
    const auto t = static_cast<double>(j - i);
    ties += t * t * t - t;
    i = j;
  }
  if (ties == 0 && a.size() * b.size() <= k_exact_product) {
    const double smaller = std::min(u, n * m - u);
    const double tail = exact_tail(a.size(), b.size(), static_cast<size_t>(std::lround(smaller)));
    return {u, std::min(1.0, 2 * tail)};
  }
  const double total = n + m;
  const double variance_of_u = n * m / 12 * (total + 1 - ties / (total * (total - 1)));
  if (variance_of_u <= 0) {
    return {u, 1};
  }
  const double distance = std::max(0.0, std::abs(u - n * m / 2) - 0.5);
  const boost::math::normal standard;
  return {u,
          std::min(1.0,
                   2 * boost::math::cdf(boost::math::complement(
                           standard, distance / std::sqrt(variance_of_u))))};
}

double a12(std::span<const double> a, std::span<const double> b)
{
  FL_ASSERT(!a.empty() && !b.empty(), "both samples have values");
  refuse_nan(a);
  refuse_nan(b);
  double wins = 0;
  for (const double x : a) {
    for (const double y : b) {
      wins += x > y ? 1.0 : x == y ? 0.5 : 0.0;
    }
  }
  return wins / static_cast<double>(a.size() * b.size());
}

double cohens_d(std::span<const double> a, std::span<const double> b)
{
  const double difference = mean(a) - mean(b);
  const double pooled = pooled_variance(a, b);
  if (pooled == 0) {
    return difference == 0 ? 0.0
                           : std::copysign(std::numeric_limits<double>::infinity(), difference);
  }
  return difference / std::sqrt(pooled);
}

} // namespace faultline::stats
