#include "stats/agreement.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace faultline::stats {

using Labels = std::vector<int>;

// Both raters' labels from a table of how often each pair of categories was given.
static double kappa_of(const std::vector<Labels>& table)
{
  Labels first;
  Labels second;
  for (size_t row = 0; row < table.size(); ++row) {
    for (size_t column = 0; column < table[row].size(); ++column) {
      for (int i = 0; i < table[row][column]; ++i) {
        first.push_back(static_cast<int>(row));
        second.push_back(static_cast<int>(column));
      }
    }
  }
  return cohens_kappa(first, second);
}

TEST(Agreement, KappaAgreesWithPublishedValues)
{
  // Cohen (1960), table 1 (two clinicians, three diagnoses, 200 patients): kappa = .492.
  EXPECT_NEAR(kappa_of({{88, 14, 18}, {10, 40, 10}, {2, 6, 12}}), 0.492, 5e-4);
  // Two readers of 50 grant proposals: observed agreement 0.70, expected 0.50.
  EXPECT_NEAR(kappa_of({{20, 5}, {10, 15}}), 0.4, 1e-12);
}

TEST(Agreement, ExtremesHaveTheirValues)
{
  EXPECT_EQ(cohens_kappa(Labels{1, 2, 3}, Labels{1, 2, 3}), 1);
  EXPECT_EQ(cohens_kappa(Labels{1, 2}, Labels{2, 1}), -1);
  EXPECT_EQ(cohens_kappa(Labels{7, 7}, Labels{7, 7}), 1);
  EXPECT_EQ(cohens_kappa(Labels{7}, Labels{7}), 1);
  EXPECT_EQ(cohens_kappa(Labels{7, 7}, Labels{8, 8}), 0);
}

TEST(AgreementDeathTest, RatersLabelTheSameThings)
{
  EXPECT_DEATH(cohens_kappa(Labels{}, Labels{}), "undefined");
  EXPECT_DEATH(cohens_kappa(Labels{1}, Labels{1, 2}), "same things");
}

} // namespace faultline::stats
