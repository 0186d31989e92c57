#pragma once

#include <span>
#include <vector>

// Samples here have a value at least, and only finite ones; anything else is refused by assertion.

namespace faultline::stats {

// The value below which the share `q` (0 to 1) of the sample lies, interpolated linearly between
// neighbours (Hyndman and Fan's type 7, the default of NumPy and R).
double quantile(std::span<const double> sample, double q);

// Tukey's box plot. One value, or equal values, make a box of no height without outliers.
struct BoxPlot {
  double minimum = 0;
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  double maximum = 0;
  // The outermost values that are no outliers: where the whiskers end.
  double lower_whisker = 0;
  double upper_whisker = 0;
  // Outliers: farther than 1.5 times the height of the box from the box; sorted.
  std::vector<double> below;
  std::vector<double> above;
};

BoxPlot box_plot(std::span<const double> sample);

} // namespace faultline::stats
