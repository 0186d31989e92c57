#include "stats/mcnemar.hpp"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>

namespace faultline::stats {

double mcnemar_exact(size_t only_first, size_t only_second)
{
  const size_t different = only_first + only_second;
  if (different == 0) {
    return 1;
  }
  const boost::math::binomial fair(static_cast<double>(different), 0.5);
  return std::min(
      1.0, 2 * boost::math::cdf(fair, static_cast<double>(std::min(only_first, only_second))));
}

} // namespace faultline::stats
