#include "study/campaign_analysis.hpp"
#include "study/campaign_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::study {

using campaign::Symptom;
using testing::HasSubstr;

static Finding finding(const campaign::Data& data, int number)
{
  const CampaignAnalysis analysis = analyse_campaign(data);
  return analysis.findings.at(static_cast<size_t>(number - 1));
}

// `crashes` of `count` variants of an operator crash, the others end as the clean runs do.
static void add(Fixture& f, const std::string& op, size_t crashes, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    f.variant(format("{}-{}", op, i), op, {i % 2 == 0 ? "preprocessing" : "learning"});
    if (i < crashes) {
      f.crash("ValueError", "model.py", 7);
    } else {
      f.run(Symptom::normal, 0.80 + 0.01 * static_cast<double>(i % 5), 10);
    }
  }
}

static Fixture with_clean_runs()
{
  Fixture f;
  for (const double accuracy : {0.82, 0.80, 0.81, 0.83, 0.84}) {
    f.clean(accuracy, 10);
  }
  return f;
}

TEST(JiaFindings, ThereAreNineAndWhatIsNotKnownOfThemIsSaid)
{
  const CampaignAnalysis analysis = analyse_campaign(small_campaign());
  ASSERT_EQ(analysis.findings.size(), 9U);
  for (int i = 0; i < 9; ++i) {
    const Finding& f = analysis.findings[static_cast<size_t>(i)];
    EXPECT_EQ(f.number, i + 1);
    EXPECT_EQ(f.wording == Wording::not_found, f.statement.find("suggests") != std::string::npos);
    EXPECT_FALSE(f.numbers.empty());
  }
}

TEST(JiaFindings, OneAsksWhetherMostEndAndFewCrash)
{
  const Finding held = finding(small_campaign(), 1);
  EXPECT_EQ(held.verdict, Verdict::held);
  EXPECT_THAT(held.numbers,
              HasSubstr("6 of 10 ended without an error (60.0 %; 95 % interval "
                        "31.3–83.2 %), 3 crashed (30.0 %), 1 hung (10.0 %)"));
  Fixture f = with_clean_runs();
  add(f, "NVR", 6, 10);
  EXPECT_EQ(finding(f.data, 1).verdict, Verdict::not_held);
}

TEST(JiaFindings, TwoAndThreeCountOutliers)
{
  EXPECT_EQ(finding(small_campaign(), 2).verdict, Verdict::undecided);
  const Finding time = finding(small_campaign(), 3);
  EXPECT_EQ(time.verdict, Verdict::not_held);
  EXPECT_THAT(time.numbers,
              HasSubstr("of 5 with a value 1 are slower, 0 faster (20.0 %); outliers "
                        "0 below, 1 above (20.0 %), 0 more if values of clean runs counted"));
  Fixture f = with_clean_runs();
  add(f, "NVR", 0, 30);
  f.variant("odd", "NVR", {"learning"});
  f.run(Symptom::degraded, 0.1, 10);
  EXPECT_EQ(finding(f.data, 2).verdict, Verdict::held);
  EXPECT_EQ(finding(f.data, 3).verdict, Verdict::held);
}

TEST(JiaFindings, FiveAsksWhetherConditionsCrashMoreThanValues)
{
  Fixture f = with_clean_runs();
  add(f, "ComOR", 6, 10);
  add(f, "LogOR", 5, 10);
  add(f, "MemOR", 8, 10);
  add(f, "BVR", 1, 10);
  add(f, "NVR", 2, 10);
  const Finding held = finding(f.data, 5);
  EXPECT_EQ(held.verdict, Verdict::held);
  EXPECT_THAT(held.numbers, HasSubstr("MemOR 80.0 %"));
  EXPECT_THAT(held.numbers, HasSubstr("all 44.0 %"));
  EXPECT_EQ(finding(f.data, 4).verdict, Verdict::held); // p = 0.009
  Fixture other = with_clean_runs();
  add(other, "ComOR", 2, 10);
  add(other, "BVR", 5, 10);
  EXPECT_EQ(finding(other.data, 5).verdict, Verdict::not_held);
  EXPECT_EQ(finding(other.data, 4).verdict, Verdict::not_held);
}

TEST(JiaFindings, SixEightAndNineAskForDifferencesToTheCleanRuns)
{
  Fixture f = with_clean_runs();
  add(f, "NVR", 2, 20);
  for (const int number : {6, 8, 9}) {
    EXPECT_EQ(finding(f.data, number).verdict, Verdict::held) << number;
  }
  for (campaign::Run& run : f.data.runs) {
    run.metrics["accuracy"] -= 0.5;
    run.cpu_seconds += 5;
  }
  for (const int number : {6, 8, 9}) {
    EXPECT_EQ(finding(f.data, number).verdict, Verdict::not_held) << number;
  }
}

TEST(JiaFindings, SevenAsksWhetherThePhaseMatters)
{
  Fixture f = with_clean_runs();
  for (int i = 0; i < 20; ++i) {
    f.variant(format("v{}", i), "NVR", {i < 10 ? "preprocessing" : "learning"});
    if (i < 8) {
      f.crash("ValueError", "model.py", 7);
    } else {
      f.run(Symptom::normal, 0.8);
    }
  }
  EXPECT_EQ(finding(f.data, 7).verdict, Verdict::held);
  EXPECT_THAT(finding(f.data, 7).numbers, HasSubstr("preprocessing 80.0 %, learning 0.0 %"));
}

} // namespace faultline::study
