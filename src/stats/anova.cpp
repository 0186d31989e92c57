#include "stats/anova.hpp"

#include "base/result.hpp"
#include "stats/two_samples.hpp"

#include <boost/math/distributions/fisher_f.hpp>

#include <cmath>
#include <limits>

namespace faultline::stats {

AnovaResult one_way_anova(std::span<const std::vector<double>> groups)
{
  FL_ASSERT(groups.size() >= 2, "an analysis of variance compares two groups or more");
  std::vector<double> all;
  for (const std::vector<double>& group : groups) {
    FL_ASSERT(!group.empty(), "every group has a value");
    all.insert(all.end(), group.begin(), group.end());
  }
  const double centre = mean(all);
  FL_ASSERT(std::isfinite(centre), "values are finite");
  double of_means = 0;
  double of_values = 0;
  for (const std::vector<double>& group : groups) {
    const double distance = mean(group) - centre;
    of_means += static_cast<double>(group.size()) * distance * distance;
    of_values += static_cast<double>(group.size() - 1) * variance(group);
  }
  AnovaResult result;
  result.between = groups.size() - 1;
  result.within = all.size() - groups.size();
  if (result.within == 0 || of_values == 0) {
    const bool same = variance(all) == 0;
    result.f = same ? 0 : std::numeric_limits<double>::infinity();
    result.p = same ? 1 : 0;
    return result;
  }
  const auto between = static_cast<double>(result.between);
  const auto within = static_cast<double>(result.within);
  result.f = (of_means / between) / (of_values / within);
  const boost::math::fisher_f distribution(between, within);
  result.p = boost::math::cdf(boost::math::complement(distribution, result.f));
  return result;
}

} // namespace faultline::stats
