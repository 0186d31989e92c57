#pragma once

#include <cstddef>

namespace faultline::stats {

// McNemar's exact test of two raters on the same things: `only_first` were got right by the first
// alone, `only_second` by the second alone. Two-sided, by the binomial distribution; 1 where they
// never differ.
double mcnemar_exact(size_t only_first, size_t only_second);

} // namespace faultline::stats
