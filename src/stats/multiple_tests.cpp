#include "stats/multiple_tests.hpp"

#include "base/result.hpp"

#include <algorithm>
#include <numeric>

namespace faultline::stats {

// Indices of the values, smallest first.
static std::vector<size_t> ascending(std::span<const double> p_values)
{
  FL_ASSERT(std::ranges::all_of(p_values, [](double p) { return p >= 0 && p <= 1; }),
            "a p-value lies between 0 and 1");
  std::vector<size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, [&](size_t a, size_t b) { return p_values[a] < p_values[b]; });
  return order;
}

std::vector<double> benjamini_hochberg(std::span<const double> p_values)
{
  const std::vector<size_t> order = ascending(p_values);
  std::vector<double> adjusted(p_values.size());
  double least = 1; // of all ranks from here upwards
  for (size_t rank = order.size(); rank > 0; --rank) {
    const size_t i = order[rank - 1];
    const double scaled =
        p_values[i] * static_cast<double>(order.size()) / static_cast<double>(rank);
    least = std::min(least, scaled);
    adjusted[i] = least;
  }
  return adjusted;
}

std::vector<double> holm(std::span<const double> p_values)
{
  const std::vector<size_t> order = ascending(p_values);
  std::vector<double> adjusted(p_values.size());
  double most = 0; // of all ranks up to here
  for (size_t rank = 0; rank < order.size(); ++rank) {
    const double scaled = p_values[order[rank]] * static_cast<double>(order.size() - rank);
    most = std::min(1.0, std::max(most, scaled));
    adjusted[order[rank]] = most;
  }
  return adjusted;
}

} // namespace faultline::stats
