#include "stats/anova.hpp"
#include "stats/two_samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace faultline::stats {

using Groups = std::vector<std::vector<double>>;

TEST(Anova, AgreesWithPublishedValues)
{
  // Dobson (1983), yields of plants under a control and two treatments. R's
  // anova(lm(weight ~ group, PlantGrowth)) prints F = 4.8461 on 2 and 27, p = 0.01591.
  const Groups plants = {{4.17, 5.58, 5.18, 6.11, 4.50, 4.61, 5.17, 4.53, 5.33, 5.14},
                         {4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69},
                         {6.31, 5.12, 5.54, 5.50, 5.37, 5.29, 4.92, 6.15, 5.80, 5.26}};
  const AnovaResult result = one_way_anova(plants);
  EXPECT_NEAR(result.f, 4.8461, 5e-5);
  EXPECT_NEAR(result.p, 0.01591, 5e-6);
  EXPECT_EQ(result.between, 2U);
  EXPECT_EQ(result.within, 27U);
}

TEST(Anova, TwoGroupsAreStudentsTest)
{
  const Groups groups = {{1.1, 2.4, 3.2, 4.7}, {2.0, 3.5, 4.1, 8.6, 9.9}};
  const TestResult t = student_t_test(groups[0], groups[1]);
  const AnovaResult result = one_way_anova(groups);
  EXPECT_NEAR(result.f, t.statistic * t.statistic, 1e-12);
  EXPECT_NEAR(result.p, t.p, 1e-12);
}

TEST(Anova, GroupsWithoutSpreadAreCertain)
{
  EXPECT_EQ(one_way_anova(Groups{{0.1, 0.1, 0.1}, {0.1, 0.1}}).p, 1);
  EXPECT_EQ(one_way_anova(Groups{{0.1, 0.1, 0.1}, {0.1, 0.1}}).f, 0);
  EXPECT_EQ(one_way_anova(Groups{{0.1, 0.1, 0.1}, {0.2, 0.2}}).p, 0);
  EXPECT_EQ(one_way_anova(Groups{{1}, {2}, {3}}).f, std::numeric_limits<double>::infinity());
}

TEST(AnovaDeathTest, RefusesWhatCannotBeCompared)
{
  EXPECT_DEATH(one_way_anova(Groups{{1, 2}}), "two groups");
  EXPECT_DEATH(one_way_anova(Groups{{1, 2}, {}}), "every group");
  EXPECT_DEATH(one_way_anova(Groups{{1, 2}, {std::nan("")}}), "no NaN");
  EXPECT_DEATH(one_way_anova(Groups{{1, 2}, {INFINITY}}), "finite");
}

} // namespace faultline::stats
