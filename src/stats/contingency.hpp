#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace faultline::stats {

struct ChiSquared {
  double statistic = 0;
  size_t freedom = 0;
  double p = 1;
};

// Pearson's test whether the columns of a table of counts depend on its rows, without correction
// for continuity. Rows and columns that are all zero say nothing and are left out; nothing comes
// back unless two of each are left. All rows are equally long.
std::optional<ChiSquared> chi_squared_test(std::span<const std::vector<double>> table);

} // namespace faultline::stats
