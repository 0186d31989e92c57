#pragma once

#include <span>
#include <vector>

namespace faultline::stats {

struct AnovaResult {
  double f = 0;
  double p = 1;
  size_t between = 0; // degrees of freedom: groups - 1
  size_t within = 0;  // degrees of freedom: values - groups
};

// One-way analysis of variance: do the groups have one mean? Two groups give Student's t-test, with
// F = t². Needs two groups or more, each with a value, all values finite (refused by assertion
// otherwise). Groups without any spread differ for certain (F infinite, p = 0) or not at all (F =
// 0, p = 1); one value a group is no spread.
AnovaResult one_way_anova(std::span<const std::vector<double>> groups);

} // namespace faultline::stats
