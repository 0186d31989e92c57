#pragma once

#include <span>

namespace faultline::stats {

// Cohen's kappa of two raters who put the same things into categories (any integers): 1 is full
// agreement, 0 what chance gives, below 0 less than that. Both give as many labels, one at least.
// Where both use one and the same category throughout, chance alone agrees; that counts as full
// agreement (1).
double cohens_kappa(std::span<const int> first, std::span<const int> second);

} // namespace faultline::stats
