#include "stats/contingency.hpp"

#include <boost/math/distributions/chi_squared.hpp>

#include <algorithm>

namespace faultline::stats {

std::optional<ChiSquared> chi_squared_test(std::span<const std::vector<double>> table)
{
  std::vector<double> rows(table.size(), 0.0);
  std::vector<double> columns(table.empty() ? 0 : table.front().size(), 0.0);
  double total = 0;
  for (size_t r = 0; r < table.size(); ++r) {
    for (size_t c = 0; c < columns.size(); ++c) {
      rows[r] += table[r][c];
      columns[c] += table[r][c];
      total += table[r][c];
    }
  }
  const auto used = [](const std::vector<double>& sums) {
    return static_cast<size_t>(std::ranges::count_if(sums, [](double sum) { return sum > 0; }));
  };
  if (used(rows) < 2 || used(columns) < 2) {
    return std::nullopt;
  }
  ChiSquared result;
  result.freedom = (used(rows) - 1) * (used(columns) - 1);
  for (size_t r = 0; r < table.size(); ++r) {
    for (size_t c = 0; c < columns.size(); ++c) {
      const double expected = rows[r] * columns[c] / total;
      if (expected > 0) {
        const double difference = table[r][c] - expected;
        result.statistic += difference * difference / expected;
      }
    }
  }
  const boost::math::chi_squared distribution(static_cast<double>(result.freedom));
  result.p = boost::math::cdf(boost::math::complement(distribution, result.statistic));
  return result;
}

} // namespace faultline::stats
