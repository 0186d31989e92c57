#include "study/campaign_analysis.hpp"
#include "study/campaign_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::study {

using campaign::Symptom;
using testing::ElementsAre;

static std::vector<std::string> labels(const std::vector<Group>& groups)
{
  std::vector<std::string> found;
  for (const Group& group : groups) {
    found.push_back(group.label);
  }
  return found;
}

TEST(CampaignAnalysis, CountsSymptomsOfFinishedVariants)
{
  const CampaignAnalysis analysis = analyse_campaign(small_campaign());
  const SymptomCounts& all = analysis.all.symptoms;
  EXPECT_EQ(analysis.data.variants.size(), 11U);
  EXPECT_EQ(all.total, 10U);
  EXPECT_EQ(all.of(Symptom::normal), 2U);
  EXPECT_EQ(all.of(Symptom::crash), 3U);
  EXPECT_EQ(all.of(Symptom::out_of_memory), 0U);
  EXPECT_DOUBLE_EQ(all.share(Symptom::crash), 0.3);
  EXPECT_EQ(all.ended_well(), 6U);
  EXPECT_DOUBLE_EQ(all.ended_well_share(), 0.6);
  EXPECT_EQ(analysis.clean.symptoms.of(Symptom::normal), 4U);
}

TEST(CampaignAnalysis, GroupsByOperatorPhaseAndTarget)
{
  const CampaignAnalysis analysis = analyse_campaign(small_campaign());
  EXPECT_THAT(labels(analysis.by_operator), ElementsAre("ComOR", "ArOR"));
  EXPECT_EQ(analysis.by_operator[1].key, "MU001");
  EXPECT_EQ(analysis.by_operator[0].symptoms.of(Symptom::crash), 2U);
  EXPECT_EQ(analysis.by_operator[1].symptoms.of(Symptom::crash), 1U);
  EXPECT_THAT(labels(analysis.by_phase), ElementsAre("preprocessing", "learning"));
  // A variant that two phases reach is in both of them.
  EXPECT_EQ(analysis.by_phase[0].symptoms.total, 4U);
  EXPECT_EQ(analysis.by_phase[1].symptoms.total, 7U);
  EXPECT_EQ(analysis.by_phase[0].symptoms.of(Symptom::not_a_number), 1U);
  EXPECT_EQ(analysis.by_phase[1].symptoms.of(Symptom::not_a_number), 1U);
  EXPECT_THAT(labels(analysis.by_target), ElementsAre("own files", "torch.nn"));
  EXPECT_EQ(analysis.by_target[0].symptoms.total, 5U);
}

// Quartiles by hand: 0.20, 0.80, 0.81, 0.82 have theirs at ranks 0.75, 1.5 and 2.25.
TEST(CampaignAnalysis, BoxesHoldValidValuesOfRunsThatEnded)
{
  const CampaignAnalysis analysis = analyse_campaign(small_campaign());
  ASSERT_TRUE(analysis.all.metric);
  const Box& metric = *analysis.all.metric;
  EXPECT_EQ(metric.count, 4U);
  EXPECT_DOUBLE_EQ(metric.minimum, 0.20);
  EXPECT_NEAR(metric.lower_quartile, 0.65, 1e-12);
  EXPECT_NEAR(metric.median, 0.805, 1e-12);
  EXPECT_NEAR(metric.upper_quartile, 0.8125, 1e-12);
  EXPECT_DOUBLE_EQ(metric.lower_whisker, 0.80);
  EXPECT_DOUBLE_EQ(metric.maximum, 0.82);
  EXPECT_NEAR(metric.mean, 0.6575, 1e-12);
  EXPECT_EQ(metric.outliers_below, 1U);
  EXPECT_EQ(metric.outliers_above, 0U);
  // The invalid metric counts for time, the run that was stopped early does not.
  ASSERT_TRUE(analysis.all.seconds);
  EXPECT_EQ(analysis.all.seconds->count, 5U);
  EXPECT_EQ(analysis.all.seconds->outliers_above, 1U);
  ASSERT_TRUE(analysis.clean.metric);
  EXPECT_NEAR(analysis.clean.metric->median, 0.83, 1e-12);
}

TEST(CampaignAnalysis, ComparesWithTheCleanRunOfTheSameSeed)
{
  const CampaignAnalysis analysis = analyse_campaign(small_campaign());
  EXPECT_EQ(analysis.all.comparable, 4U);
  EXPECT_EQ(analysis.all.unchanged, 1U);
  EXPECT_DOUBLE_EQ(*analysis.outcomes[0].metric_difference, 0);
  EXPECT_NEAR(*analysis.outcomes[2].metric_difference, -0.6, 1e-12);
}

// By SciPy 1.10.1: ttest_ind([.83, .85, .23], [.80, .82, .84, .86], equal_var=False) and
// mannwhitneyu of the same: .80, .82 and .20 with the seed of the clean run that gave .80, where
// the clean mean is .83.
TEST(CampaignAnalysis, TestsGroupsAgainstTheCleanRuns)
{
  const CampaignAnalysis analysis = analyse_campaign(small_campaign());
  std::vector<std::string> tested;
  for (const DifferenceTest& test : analysis.tests) {
    tested.push_back(format("{} {} {}", name_of(test.quantity), test.label, test.count));
  }
  // One value of ComOR is no sample.
  EXPECT_THAT(tested,
              ElementsAre("metric ArOR 3",
                          "seconds ComOR 3",
                          "seconds ArOR 2",
                          "metric preprocessing 2",
                          "metric learning 2",
                          "seconds preprocessing 3",
                          "seconds learning 3"));
  const DifferenceTest& test = analysis.tests.front();
  EXPECT_NEAR(test.t, -0.94852823030778932, 1e-12);
  EXPECT_NEAR(test.p, 0.44228976465764608, 1e-12);
  EXPECT_NEAR(test.adjusted_p, test.p, 1e-12);
  EXPECT_DOUBLE_EQ(test.u, 5);
  EXPECT_NEAR(test.u_p, 0.8571428571428571, 1e-12);
  EXPECT_NEAR(test.a12, 5.0 / 12, 1e-12);
  EXPECT_LT(test.cohens_d, 0);
  EXPECT_FALSE(test.significant());
}

TEST(CampaignAnalysis, AdjustsOverTheGroupsOfOneQuantity)
{
  const CampaignAnalysis analysis = analyse_campaign(small_campaign());
  const DifferenceTest& first = analysis.tests[3];
  const DifferenceTest& second = analysis.tests[4];
  ASSERT_EQ(first.grouping, Grouping::phase);
  const double least = std::min(first.p, second.p);
  const double most = std::max(first.p, second.p);
  EXPECT_NEAR(std::min(first.adjusted_p, second.adjusted_p), std::min(2 * least, most), 1e-12);
  EXPECT_NEAR(std::max(first.adjusted_p, second.adjusted_p), most, 1e-12);
}

// ArOR 3 of 4 end well, ComOR 3 of 6: expected 2.4 and 3.6, so χ² is 0.625.
TEST(CampaignAnalysis, TestsWhetherSymptomsDependOnTheOperator)
{
  const CampaignAnalysis analysis = analyse_campaign(small_campaign());
  ASSERT_EQ(analysis.symptoms_tests.size(), 2U);
  EXPECT_EQ(analysis.symptoms_tests[0].grouping, Grouping::op);
  EXPECT_NEAR(analysis.symptoms_tests[0].chi_squared, 0.625, 1e-12);
  EXPECT_EQ(analysis.symptoms_tests[0].freedom, 1U);
}

TEST(CampaignAnalysis, NamesOutliers)
{
  const CampaignAnalysis analysis = analyse_campaign(small_campaign());
  ASSERT_EQ(analysis.outliers.size(), 2U);
  const auto id = [&](size_t i) {
    return analysis.record_of(analysis.outcomes[analysis.outliers[i].outcome]).variant.id;
  };
  EXPECT_EQ(id(0), "a3");
  EXPECT_FALSE(analysis.outliers[0].above);
  EXPECT_EQ(id(1), "c4");
  EXPECT_EQ(analysis.outliers[1].quantity, Quantity::seconds);
}

// Nine variants equal the clean run of their seed, so that their box has no height.
TEST(CampaignAnalysis, WhatAnotherSeedDoesIsNoOutlier)
{
  Fixture f;
  f.clean(0.80, 10);
  f.clean(0.86, 10);
  for (int i = 0; i < 9; ++i) {
    f.variant(format("same{}", i), "MU001", {"learning"});
    f.run(Symptom::normal, 0.80);
  }
  f.variant("as another seed", "MU001", {"learning"});
  f.run(Symptom::normal, 0.85);
  f.variant("better than any", "MU001", {"learning"});
  f.run(Symptom::improved, 0.87);
  const CampaignAnalysis analysis = analyse_campaign(f.data);
  EXPECT_EQ(analysis.all.metric->outliers_above, 2U);
  ASSERT_EQ(analysis.outliers.size(), 1U);
  EXPECT_EQ(analysis.outliers[0].outcome, 10U);
}

TEST(CampaignAnalysis, GroupsCrashesByExceptionAndStatement)
{
  const CampaignAnalysis analysis = analyse_campaign(small_campaign());
  ASSERT_EQ(analysis.crashes.size(), 2U);
  EXPECT_EQ(analysis.crashes[0].exception, "ValueError");
  EXPECT_EQ(analysis.crashes[0].line, 7U);
  EXPECT_EQ(analysis.crashes[0].outcomes.size(), 2U);
  EXPECT_NEAR(analysis.crashes[0].share, 2.0 / 3, 1e-12);
  EXPECT_EQ(analysis.crashes[1].exception, "TypeError");
}

TEST(CampaignAnalysis, AccountsForStartsDecisionsAndTime)
{
  const Accounting accounting = analyse_campaign(small_campaign()).accounting;
  EXPECT_EQ(accounting.starts.at(campaign::Start::none), 1U);
  EXPECT_EQ(accounting.starts.at(campaign::Start::cold), 1U);
  EXPECT_EQ(accounting.starts.at(campaign::Start::function), 8U);
  EXPECT_EQ(accounting.decisions.at(campaign::Decision::ran), 8U);
  EXPECT_DOUBLE_EQ(accounting.spent_seconds, 67);
  EXPECT_DOUBLE_EQ(accounting.full_seconds, 144);
}

TEST(CampaignAnalysis, OperatorsAreFiledUnderTheirType)
{
  Fixture f;
  f.variant("x1", "MU001", {"learning"});
  f.run(Symptom::normal, 0.8);
  f.variant("x2", "no such operator", {"learning"});
  f.run(Symptom::degraded, 0.1);
  f.variant("x3", "MU106", {"learning"});
  f.run(Symptom::normal, 0.8);
  const CampaignAnalysis analysis = analyse_campaign(f.data);
  ASSERT_EQ(analysis.taxonomy.size(), 2U);
  EXPECT_EQ(analysis.taxonomy.front().type, "model/layers/missing-redundant-wrong-layer");
  EXPECT_THAT(analysis.taxonomy.front().operators, ElementsAre("LR"));
  const TypeCoverage& last = analysis.taxonomy.back();
  EXPECT_EQ(last.type, "");
  EXPECT_THAT(last.operators, testing::Contains("no such operator"));
  EXPECT_EQ(last.noticed, 1U);
}

TEST(CampaignAnalysis, RepeatsOfAVariantCountOnce)
{
  Fixture f;
  f.clean(0.8, 10);
  f.clean(0.9, 10);
  f.variant("most", "MU001", {"learning"});
  f.run(Symptom::normal, 0.8);
  f.run(Symptom::crash);
  f.run(Symptom::crash);
  f.variant("tie", "MU001", {"learning"});
  f.run(Symptom::normal, 0.8);
  f.run(Symptom::hang);
  f.variant("steady", "MU001", {"learning"});
  f.run(Symptom::normal, 0.8, 10);
  f.run(Symptom::normal, 0.94, 20);
  const CampaignAnalysis analysis = analyse_campaign(f.data);
  ASSERT_EQ(analysis.outcomes.size(), 3U);
  EXPECT_EQ(analysis.outcomes[0].symptom, Symptom::crash);
  EXPECT_EQ(analysis.outcomes[0].runs, 3U);
  EXPECT_EQ(analysis.outcomes[0].metric, std::nullopt);
  EXPECT_EQ(analysis.outcomes[1].symptom, Symptom::hang);
  EXPECT_EQ(analysis.unstable, 2U);
  EXPECT_NEAR(*analysis.outcomes[2].metric, 0.87, 1e-12);
  EXPECT_NEAR(*analysis.outcomes[2].metric_difference, 0.02, 1e-12);
  EXPECT_DOUBLE_EQ(*analysis.outcomes[2].seconds, 15);
}

TEST(CampaignAnalysis, ACampaignThatHasNothingYetIsNoTrouble)
{
  const CampaignAnalysis analysis = analyse_campaign({});
  EXPECT_EQ(analysis.outcomes.size(), 0U);
  EXPECT_TRUE(analysis.tests.empty());
  EXPECT_TRUE(analysis.crashes.empty());
  for (const Finding& finding : analysis.findings) {
    EXPECT_EQ(finding.verdict, Verdict::undecided) << finding.number;
  }
}

} // namespace faultline::study
