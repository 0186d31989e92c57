// Whether groups of variants differ from the clean runs and among themselves.

#include "stats/anova.hpp"
#include "stats/contingency.hpp"
#include "stats/multiple_tests.hpp"
#include "stats/two_samples.hpp"
#include "study/campaign_parts.hpp"

#include <algorithm>

namespace faultline::study {

// A sample of one has no spread; the tests would call its every difference certain.
static constexpr size_t k_least_sample = 2;

// Variants share their seed with one clean run, whose luck is not theirs: what counts is the
// difference to that run, put back at the clean mean.
static std::vector<double> without_seed(const CampaignAnalysis& analysis,
                                        std::span<const size_t> members,
                                        Quantity quantity,
                                        double clean_mean)
{
  if (quantity != Quantity::metric) {
    return values_of(analysis, members, quantity);
  }
  std::vector<double> values;
  for (const size_t member : members) {
    const VariantOutcome& outcome = analysis.outcomes[member];
    if (outcome.metric && outcome.metric_difference &&
        is_valid_metric(analysis.data, *outcome.metric)) {
      values.push_back(clean_mean + *outcome.metric_difference);
    }
  }
  return values;
}

static std::vector<DifferenceTest>
difference_tests(const CampaignAnalysis& analysis, Grouping grouping, Quantity quantity)
{
  std::vector<DifferenceTest> tests;
  const std::vector<double> clean = clean_values(analysis.data, quantity);
  if (clean.size() < k_least_sample) {
    return tests;
  }
  for (const auto& [key, members] : members_by(analysis, grouping)) {
    const std::vector<double> values =
        without_seed(analysis, members, quantity, stats::mean(clean));
    if (values.size() < k_least_sample) {
      continue;
    }
    const stats::TestResult welch = stats::welch_t_test(values, clean);
    const stats::TestResult ranks = stats::mann_whitney(values, clean);
    tests.push_back({.grouping = grouping,
                     .quantity = quantity,
                     .key = key,
                     .label = grouping == Grouping::op ? operator_label(key) : key,
                     .count = values.size(),
                     .mean = stats::mean(values),
                     .clean_mean = stats::mean(clean),
                     .t = welch.statistic,
                     .p = welch.p,
                     .u = ranks.statistic,
                     .u_p = ranks.p,
                     .cohens_d = stats::cohens_d(values, clean),
                     .a12 = stats::a12(values, clean)});
  }
  const auto adjust = [&tests](double DifferenceTest::*p, double DifferenceTest::*adjusted) {
    std::vector<double> all;
    for (const DifferenceTest& test : tests) {
      all.push_back(test.*p);
    }
    const std::vector<double> corrected = stats::benjamini_hochberg(all);
    for (size_t i = 0; i < tests.size(); ++i) {
      tests[i].*adjusted = corrected[i];
    }
  };
  adjust(&DifferenceTest::p, &DifferenceTest::adjusted_p);
  adjust(&DifferenceTest::u_p, &DifferenceTest::u_adjusted_p);
  return tests;
}

static std::optional<GroupsTest>
groups_test(const CampaignAnalysis& analysis, Grouping grouping, Quantity quantity)
{
  std::vector<std::vector<double>> groups;
  size_t count = 0;
  for (const auto& [key, members] : members_by(analysis, grouping)) {
    std::vector<double> values = values_of(analysis, members, quantity);
    if (values.size() >= k_least_sample) {
      count += values.size();
      groups.push_back(std::move(values));
    }
  }
  if (groups.size() < 2) {
    return std::nullopt;
  }
  const stats::AnovaResult result = stats::one_way_anova(groups);
  return GroupsTest{grouping, quantity, groups.size(), count, result.f, result.p};
}

static std::optional<SymptomsTest> symptoms_test(const CampaignAnalysis& analysis,
                                                 Grouping grouping)
{
  std::vector<std::vector<double>> table;
  const auto& groups = grouping == Grouping::op ? analysis.by_operator : analysis.by_phase;
  for (const Group& group : groups) {
    const auto well = static_cast<double>(group.symptoms.ended_well());
    table.push_back({well, static_cast<double>(group.symptoms.total) - well});
  }
  const auto result = stats::chi_squared_test(table);
  if (!result) {
    return std::nullopt;
  }
  return SymptomsTest{grouping, groups.size(), result->statistic, result->freedom, result->p};
}

void add_tests(CampaignAnalysis& analysis)
{
  for (const Grouping grouping : {Grouping::op, Grouping::phase}) {
    for (const Quantity quantity : {Quantity::metric, Quantity::seconds}) {
      const auto tests = difference_tests(analysis, grouping, quantity);
      analysis.tests.insert(analysis.tests.end(), tests.begin(), tests.end());
      if (const auto test = groups_test(analysis, grouping, quantity)) {
        analysis.groups_tests.push_back(*test);
      }
    }
    if (const auto test = symptoms_test(analysis, grouping)) {
      analysis.symptoms_tests.push_back(*test);
    }
  }
}

} // namespace faultline::study
