#include "stats/multiple_tests.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace faultline::stats {

using Values = std::vector<double>;

// The p-values of Benjamini and Hochberg (1995), section 4.1.
const Values k_published = {0.0001,
                            0.0004,
                            0.0019,
                            0.0095,
                            0.0201,
                            0.0278,
                            0.0298,
                            0.0344,
                            0.0459,
                            0.3240,
                            0.4262,
                            0.5719,
                            0.6528,
                            0.7590,
                            1.0000};

TEST(MultipleTests, AgreesWithPublishedValues)
{
  // Of these fifteen, four are rejected at 0.05. The adjusted values are those of R's
  // p.adjust(p, "BH").
  const Values expected = {0.0015,
                           0.003,
                           0.0095,
                           0.035625,
                           0.0603,
                           0.0638571429,
                           0.0638571429,
                           0.0645,
                           0.0765,
                           0.486,
                           0.5811818182,
                           0.714875,
                           0.7532307692,
                           0.8132142857,
                           1.0};
  const Values adjusted = benjamini_hochberg(k_published);
  ASSERT_EQ(adjusted.size(), expected.size());
  size_t rejected = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(adjusted[i], expected[i], 1e-10) << i;
    rejected += adjusted[i] <= 0.05 ? 1 : 0;
  }
  EXPECT_EQ(rejected, 4U);
}

TEST(MultipleTests, HolmAgreesWithStatsmodels)
{
  // statsmodels 0.15.0: multipletests(p, method='holm'), of the same fifteen values.
  const Values adjusted = holm(k_published);
  const Values expected = {
      0.0015, 0.0056, 0.0247, 0.114, 0.2211, 0.278, 0.278, 0.278, 0.3213, 1, 1, 1, 1, 1, 1};
  ASSERT_EQ(adjusted.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(adjusted[i], expected[i], 1e-10) << i;
  }
  const Values unsorted = holm(Values{0.01, 0.04, 0.03, 0.005});
  const Values by_statsmodels = {0.03, 0.06, 0.06, 0.02};
  for (size_t i = 0; i < unsorted.size(); ++i) {
    EXPECT_NEAR(unsorted[i], by_statsmodels[i], 1e-12) << i;
  }
  EXPECT_TRUE(holm(Values{}).empty());
  EXPECT_EQ(holm(Values{0.04}), Values{0.04});
}

TEST(MultipleTests, KeepsTheOrderGiven)
{
  const Values adjusted = benjamini_hochberg(Values{0.9, 0.01, 0.02});
  EXPECT_DOUBLE_EQ(adjusted[0], 0.9);
  EXPECT_DOUBLE_EQ(adjusted[1], 0.03);
  EXPECT_DOUBLE_EQ(adjusted[2], 0.03);
}

TEST(MultipleTests, FewAndEqualValuesStayThemselves)
{
  EXPECT_TRUE(benjamini_hochberg(Values{}).empty());
  EXPECT_EQ(benjamini_hochberg(Values{0.04}), Values{0.04});
  EXPECT_EQ(benjamini_hochberg(Values{0.5, 0.5}), (Values{0.5, 0.5}));
  EXPECT_EQ(benjamini_hochberg(Values{1, 1, 0}), (Values{1, 1, 0}));
}

TEST(MultipleTestsDeathTest, RefusesWhatIsNoProbability)
{
  EXPECT_DEATH(benjamini_hochberg(Values{1.1}), "p-value");
  EXPECT_DEATH(benjamini_hochberg(Values{std::nan("")}), "p-value");
  EXPECT_DEATH(holm(Values{-0.1}), "p-value");
}

} // namespace faultline::stats
