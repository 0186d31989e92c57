#include "stats/two_samples.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace faultline::stats {

namespace {

using Sample = std::vector<double>;

const double k_infinity = std::numeric_limits<double>::infinity();

// Relative, as p-values span many orders of magnitude.
void check_near(double actual, double expected, const char* what)
{
  EXPECT_NEAR(actual, expected, 1e-10 * std::max(1e-3, std::abs(expected))) << what;
}

Sample counting(size_t n, double from)
{
  Sample sample;
  for (size_t i = 0; i < n; ++i) {
    sample.push_back(from + static_cast<double>(i));
  }
  return sample;
}

struct Reference {
  const char* name;
  Sample a;
  Sample b;
  double u;
  double p_of_u;
  double t;
  double p_of_t;
  double a12;
  double d;
};

// SciPy 1.10.1: scipy.stats.mannwhitneyu(a, b, alternative="two-sided") with method="exact" for
// samples without ties whose sizes have a product up to 400, else method="asymptotic";
// scipy.stats.ttest_ind(a, b, equal_var=False). A12 is U / (n * m); d by its definition in NumPy.
const std::vector<Reference> k_references = {
    {"apart",
     {0.91, 0.93, 0.90, 0.95, 0.92},
     {0.52, 0.61, 0.48, 0.55, 0.50},
     25.0,
     0.007936507936507936,
     16.083328927425292,
     1.3832087852690167e-05,
     1.0,
     10.17199035366737},
    {"mixed, sizes differ",
     {1.1, 2.4, 3.2, 4.7, 5.9, 6.3, 7.8},
     {2.0, 3.5, 4.1, 8.6, 9.9},
     14.0,
     0.638888888888889,
     -0.6380966934834269,
     0.5446558914313824,
     0.4,
     -0.39880207065230433},
    {"the same, the other way round",
     {2.0, 3.5, 4.1, 8.6, 9.9},
     {1.1, 2.4, 3.2, 4.7, 5.9, 6.3, 7.8},
     21.0,
     0.638888888888889,
     0.6380966934834269,
     0.5446558914313824,
     0.6,
     0.39880207065230433},
    {"ties",
     {1, 2, 2, 3, 3, 3, 4, 5},
     {2, 3, 4, 4, 5, 6, 6, 7, 7},
     13.0,
     0.0282733678139673,
     -2.7408717833594647,
     0.01565324418391271,
     0.18055555555555555,
     -1.304243757867093},
    {"two values each",
     {1, 2},
     {3, 4},
     0.0,
     0.3333333333333333,
     -2.82842712474619,
     0.10557280900008413,
     0.0,
     -2.82842712474619},
    {"the largest that are exact",
     counting(20, 0),
     counting(20, 4.5),
     120.0,
     0.030411256038764864,
     -2.4053511772118195,
     0.021132127396286213,
     0.3,
     -0.760638829255665},
    {"one value more: approximated",
     counting(21, 0),
     counting(20, 6.5),
     105.0,
     0.006419021853513669,
     -3.169623262772246,
     0.002967392096205485,
     0.25,
     -0.9891396324804471},
    {"twelve orders of magnitude apart",
     {1e-6, 2e-6, 3e-6},
     {1e6, 2e6, 4e6},
     0.0,
     0.1,
     -2.6457513110623228,
     0.11808289631197112,
     0.0,
     -2.160246899467435},
};

} // namespace

TEST(TwoSamples, MannWhitneyAgreesWithSciPy)
{
  for (const Reference& reference : k_references) {
    const TestResult result = mann_whitney(reference.a, reference.b);
    check_near(result.statistic, reference.u, reference.name);
    check_near(result.p, reference.p_of_u, reference.name);
  }
}

TEST(TwoSamples, WelchAgreesWithSciPy)
{
  for (const Reference& reference : k_references) {
    const TestResult result = welch_t_test(reference.a, reference.b);
    check_near(result.statistic, reference.t, reference.name);
    check_near(result.p, reference.p_of_t, reference.name);
  }
}

TEST(TwoSamples, EffectSizesAgreeWithTheirDefinition)
{
  for (const Reference& reference : k_references) {
    check_near(a12(reference.a, reference.b), reference.a12, reference.name);
    check_near(cohens_d(reference.a, reference.b), reference.d, reference.name);
  }
}

TEST(TwoSamples, ASingleValueCanBeRanked)
{
  // SciPy 1.10.1: mannwhitneyu([5], [1, 2, 3, 6], method="exact").
  const TestResult result = mann_whitney(Sample{5}, Sample{1, 2, 3, 6});
  check_near(result.statistic, 3, "U");
  check_near(result.p, 0.8, "p");
}

TEST(TwoSamples, ManyTiesAreCorrectedFor)
{
  // SciPy 1.10.1: mannwhitneyu([1, 1, 1, 2], [1, 1, 1], method="asymptotic").
  const TestResult result = mann_whitney(Sample{1, 1, 1, 2}, Sample{1, 1, 1});
  check_near(result.statistic, 7.5, "U");
  check_near(result.p, 0.5637028616507731, "p");
}

TEST(TwoSamples, ACentredRankSumIsNoDifference)
{
  // SciPy 1.10.1: mannwhitneyu([1, 2, 2, 3], [2, 2, 2], method="asymptotic").
  EXPECT_EQ(mann_whitney(Sample{1, 2, 2, 3}, Sample{2, 2, 2}).p, 1);
}

TEST(TwoSamples, EqualValuesOnBothSidesDifferInNothing)
{
  const Sample a = {3, 3, 3};
  const Sample b = {3, 3};
  EXPECT_EQ(mann_whitney(a, b).p, 1);
  EXPECT_EQ(mann_whitney(a, b).statistic, 3);
  EXPECT_EQ(welch_t_test(a, b).p, 1);
  EXPECT_EQ(welch_t_test(a, b).statistic, 0);
  EXPECT_EQ(a12(a, b), 0.5);
  EXPECT_EQ(cohens_d(a, b), 0);
}

TEST(TwoSamples, DifferentValuesWithoutSpreadDifferForCertain)
{
  const Sample low = {1, 1, 1};
  const Sample high = {2, 2, 2};
  EXPECT_EQ(welch_t_test(high, low).p, 0);
  EXPECT_EQ(welch_t_test(high, low).statistic, k_infinity);
  EXPECT_EQ(welch_t_test(low, high).statistic, -k_infinity);
  EXPECT_EQ(cohens_d(high, low), k_infinity);
  EXPECT_EQ(cohens_d(low, high), -k_infinity);
  EXPECT_EQ(a12(high, low), 1);
}

TEST(TwoSamples, EqualValuesHaveNoSpreadWhateverTheirBits)
{
  // 0.1 + 0.1 + 0.1 is not 0.3, which must not look like a difference.
  EXPECT_EQ(variance(Sample{0.1, 0.1, 0.1}), 0);
  EXPECT_EQ(student_t_test(Sample{0.1, 0.1, 0.1}, Sample{0.1, 0.1}).p, 1);
  EXPECT_EQ(welch_t_test(Sample{0.1, 0.1, 0.1}, Sample{0.1, 0.1}).p, 1);
}

TEST(TwoSamples, StudentAgreesWithPublishedValues)
{
  // Student (1908), The probable error of a mean: hours of sleep gained by two drugs, ten patients
  // each. R's t.test(extra ~ group, data = sleep, var.equal = TRUE) prints t = -1.8608, p =
  // 0.07919.
  const Sample first = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
  const Sample second = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
  EXPECT_NEAR(student_t_test(first, second).statistic, -1.8608, 5e-5);
  EXPECT_NEAR(student_t_test(first, second).p, 0.07919, 5e-6);
  // And without var.equal: t = -1.8608, p = 0.07939.
  EXPECT_NEAR(welch_t_test(first, second).statistic, -1.8608, 5e-5);
  EXPECT_NEAR(welch_t_test(first, second).p, 0.07939, 5e-6);
}

TEST(TwoSamples, StudentWithoutSpreadIsCertain)
{
  EXPECT_EQ(student_t_test(Sample{2, 2}, Sample{1, 1}).p, 0);
  EXPECT_EQ(student_t_test(Sample{2, 2}, Sample{1, 1}).statistic, k_infinity);
  EXPECT_EQ(student_t_test(Sample{1}, Sample{2}).p, 0);
  EXPECT_EQ(student_t_test(Sample{1}, Sample{1}).p, 1);
}

TEST(TwoSamples, OneValueCanBeComparedWithSeveral)
{
  // SciPy 1.10.1: ttest_ind([5], [1, 2, 3]).
  const TestResult result = student_t_test(Sample{5}, Sample{1, 2, 3});
  check_near(result.statistic, 2.598076211353316, "t");
  check_near(result.p, 0.12168993434632014, "p");
}

TEST(TwoSamplesDeathTest, NothingAndNaNAreRefused)
{
  const Sample nan = {1, std::nan("")};
  const Sample some = {1, 2};
  EXPECT_DEATH(mean(nan), "no NaN");
  EXPECT_DEATH(median(nan), "no NaN");
  EXPECT_DEATH(student_t_test(nan, some), "no NaN");
  EXPECT_DEATH(a12(some, nan), "no NaN");
  EXPECT_DEATH(mann_whitney(nan, some), "no NaN");
  EXPECT_DEATH(mean(Sample{}), "undefined");
  EXPECT_DEATH(welch_t_test(some, Sample{}), "undefined");
  EXPECT_DEATH(a12(Sample{}, some), "have values");
}

TEST(TwoSamples, SpreadOnOneSideIsEnoughForWelch)
{
  // SciPy 1.10.1: ttest_ind([1, 1, 1], [1, 2, 3], equal_var=False).
  const TestResult result = welch_t_test(Sample{1, 1, 1}, Sample{1, 2, 3});
  check_near(result.statistic, -1.7320508075688774, "t");
  check_near(result.p, 0.22540333075851657, "p");
}

TEST(TwoSamples, InfiniteValuesHaveARank)
{
  const TestResult result = mann_whitney(Sample{k_infinity, 4, 5}, Sample{1, 2, 3});
  check_near(result.statistic, 9, "U");
  check_near(result.p, 0.1, "p");
}

TEST(TwoSamples, SwappingTheSamplesSwapsTheSign)
{
  for (const Reference& reference : k_references) {
    check_near(mann_whitney(reference.b, reference.a).p, reference.p_of_u, reference.name);
    check_near(a12(reference.b, reference.a), 1 - reference.a12, reference.name);
    check_near(cohens_d(reference.b, reference.a), -reference.d, reference.name);
  }
}

TEST(TwoSamples, MeanVarianceAndMedianAgreeWithNumPy)
{
  // NumPy 1.24.2: mean(), var(ddof=1), numpy.median().
  const Sample odd = {1.1, 2.4, 3.2, 4.7, 5.9, 6.3, 7.8};
  check_near(mean(odd), 4.485714285714286, "mean");
  check_near(variance(odd), 5.631428571428572, "variance");
  check_near(median(odd), 4.7, "median");
  const Sample even = {3, 1, 2, 5, 3, 3, 4, 2};
  check_near(mean(even), 2.875, "mean");
  check_near(variance(even), 1.5535714285714286, "variance");
  check_near(median(even), 3, "median");
}

TEST(TwoSamples, TheMedianOfAnEvenSampleLiesInTheMiddle)
{
  EXPECT_EQ(median(Sample{4, 1}), 2.5);
  EXPECT_EQ(median(Sample{7}), 7);
}

TEST(TwoSamples, OneValueHasNoVariance)
{
  EXPECT_EQ(variance(Sample{7}), 0);
  EXPECT_EQ(variance(Sample{}), 0);
}

} // namespace faultline::stats
