#include "stats/mcnemar.hpp"

#include <gtest/gtest.h>

namespace faultline::stats {

// By scipy.stats.binomtest(k, n).pvalue, SciPy 1.10.1.
TEST(McNemar, AgreesWithSciPy)
{
  EXPECT_NEAR(mcnemar_exact(5, 15), 0.04138946533203125, 1e-12);
  EXPECT_NEAR(mcnemar_exact(15, 5), 0.04138946533203125, 1e-12);
  EXPECT_NEAR(mcnemar_exact(0, 6), 0.03125, 1e-12);
}

TEST(McNemar, IsOneWhereNothingTellsThemApart)
{
  EXPECT_EQ(mcnemar_exact(0, 0), 1);
  EXPECT_EQ(mcnemar_exact(4, 4), 1);
  EXPECT_EQ(mcnemar_exact(1, 0), 1);
}

} // namespace faultline::stats
