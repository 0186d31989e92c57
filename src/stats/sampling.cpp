#include "stats/sampling.hpp"

#include "base/result.hpp"

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>

namespace faultline::stats {

size_t sample_size(size_t population, double level, double margin, double proportion)
{
  FL_ASSERT(level > 0 && level < 1, "a confidence level lies between 0 and 1");
  FL_ASSERT(margin > 0 && std::isfinite(margin), "a confidence interval has a width");
  FL_ASSERT(proportion > 0 && proportion < 1, "a proportion lies between 0 and 1");
  if (population == 0) {
    return 0;
  }
  const double z = boost::math::quantile(boost::math::normal(), (1 + level) / 2);
  const double endless = z * z * proportion * (1 - proportion) / (margin * margin);
  const auto all = static_cast<double>(population);
  const double wanted = std::ceil(endless * all / (all - 1 + endless));
  return static_cast<size_t>(std::clamp(wanted, 1.0, all));
}

} // namespace faultline::stats
