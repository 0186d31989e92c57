#pragma once

#include <cstddef>

namespace faultline::stats {

// How many of `population` to draw so that a share measured on the sample lies within `margin` of
// the population's with probability `level` (Cochran, with his correction for a finite population).
// `proportion` is the share expected; 0.5 needs the largest sample. Never more than there are, none
// of none. `level` and `proportion` lie between 0 and 1, `margin` above 0.
size_t sample_size(size_t population, double level, double margin, double proportion = 0.5);

} // namespace faultline::stats
