#pragma once

#include <span>

// What two samples have in common. Every function here takes finite values, but for those by rank
// (median, Mann-Whitney, A12), which also take infinities; what to do with a diverged run is the
// caller's decision. NaN has neither a place nor a rank and is refused by assertion, as is an empty
// sample (only its variance is defined).

namespace faultline::stats {

double mean(std::span<const double> sample);
// Of the sample, with n - 1 in the denominator; 0 for fewer than two values.
double variance(std::span<const double> sample);
double median(std::span<const double> sample);

struct TestResult {
  double statistic = 0;
  double p = 1; // two-sided
};

// Student's t-test, which takes both samples to have the same variance. One value against one has
// no spread to compare with: p is 0 or 1, as for all samples without spread.
TestResult student_t_test(std::span<const double> a, std::span<const double> b);

// Welch's t-test. Samples without any spread differ for certain (p = 0) or not at all (p = 1).
TestResult welch_t_test(std::span<const double> a, std::span<const double> b);

// Mann-Whitney U of `a` against `b`: exact for small samples without ties, otherwise the normal
// approximation with correction for ties and continuity.
TestResult mann_whitney(std::span<const double> a, std::span<const double> b);

// How often a value of `a` is above one of `b`, ties counting half (Vargha and Delaney's A12).
double a12(std::span<const double> a, std::span<const double> b);

// Difference of the means in pooled standard deviations, positive if `a` is higher; infinite for
// different means without spread.
double cohens_d(std::span<const double> a, std::span<const double> b);

} // namespace faultline::stats
