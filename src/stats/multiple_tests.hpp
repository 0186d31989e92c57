#pragma once

#include <span>
#include <vector>

namespace faultline::stats {

// Benjamini and Hochberg's adjusted p-values, in the order given: reject where one is at most q,
// and the expected share of false among the rejected is at most q. Nothing gives nothing; a value
// outside 0 to 1, NaN among them, is refused by assertion.
std::vector<double> benjamini_hochberg(std::span<const double> p_values);

// Holm's adjusted p-values (Scandinavian Journal of Statistics 6, 1979): reject where one is at
// most alpha, and the chance of a single false among the rejected is at most alpha.
std::vector<double> holm(std::span<const double> p_values);

} // namespace faultline::stats
