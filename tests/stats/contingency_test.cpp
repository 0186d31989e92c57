#include "stats/contingency.hpp"

#include <gtest/gtest.h>

namespace faultline::stats {

// By scipy.stats.chi2_contingency([[10, 20, 30], [6, 9, 17]], correction=False), SciPy 1.10.1.
TEST(Contingency, AgreesWithSciPy)
{
  const std::vector<std::vector<double>> table = {{10, 20, 30}, {6, 9, 17}};
  const auto result = chi_squared_test(table);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->freedom, 2U);
  EXPECT_NEAR(result->statistic, 0.27157465150403504, 1e-12);
  EXPECT_NEAR(result->p, 0.873028283380073, 1e-12);
}

TEST(Contingency, RowsAndColumnsWithoutAnythingSayNothing)
{
  const std::vector<std::vector<double>> with = {{10, 0, 20}, {0, 0, 0}, {6, 0, 9}};
  const std::vector<std::vector<double>> without = {{10, 20}, {6, 9}};
  EXPECT_DOUBLE_EQ(chi_squared_test(with)->p, chi_squared_test(without)->p);
  EXPECT_EQ(chi_squared_test(with)->freedom, 1U);
}

TEST(Contingency, OneRowOrOneColumnIsNoTable)
{
  EXPECT_FALSE(chi_squared_test(std::vector<std::vector<double>>{}));
  EXPECT_FALSE(chi_squared_test(std::vector<std::vector<double>>{{3, 4}}));
  EXPECT_FALSE(chi_squared_test(std::vector<std::vector<double>>{{3, 0}, {4, 0}}));
}

} // namespace faultline::stats
