#include "campaign/judge.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace faultline::campaign {

static Spec spec_of(bool higher_is_better = true)
{
  Spec spec;
  spec.metrics.push_back({"accuracy", "x", "", "", 0, 1, higher_is_better});
  spec.metrics.push_back({"loss", "x", "", "", {}, {}, false});
  return spec;
}

static Run run_of(double accuracy, double seconds = 10, double loss = 1)
{
  Run run;
  run.metrics = {{"accuracy", accuracy}, {"loss", loss}};
  run.cpu_seconds = seconds;
  return run;
}

static std::vector<Run> clean_runs()
{
  return {run_of(.80, 10), run_of(.82, 11), run_of(.84, 10), run_of(.86, 12), run_of(.88, 10)};
}

static Symptom judged(const Run& run, bool higher_is_better = true)
{
  const Spec spec = spec_of(higher_is_better);
  return judge(run, bounds_of(clean_runs(), spec), spec);
}

TEST(Judge, BoundsAreThoseOfABoxPlot)
{
  const Bounds bounds = bounds_of(clean_runs(), spec_of());
  EXPECT_NEAR(bounds.least_metric, .82 - 1.5 * .04, 1e-12);
  EXPECT_NEAR(bounds.most_metric, .86 + 1.5 * .04, 1e-12);
  EXPECT_NEAR(bounds.least_seconds, 7.5, 1e-12); // a quarter below the median
  EXPECT_NEAR(bounds.most_seconds, 12.5, 1e-12);
}

TEST(Judge, BeyondTheCleanRunsIsASymptom)
{
  EXPECT_EQ(judged(run_of(.84)), Symptom::normal);
  EXPECT_EQ(judged(run_of(.75)), Symptom::degraded);
  EXPECT_EQ(judged(run_of(.95)), Symptom::improved);
  EXPECT_EQ(judged(run_of(.84, 20)), Symptom::slower);
  EXPECT_EQ(judged(run_of(.84, 5)), Symptom::faster);
  EXPECT_EQ(judged(run_of(.75, 20)), Symptom::degraded); // the metric comes first
}

TEST(Judge, LowerMayBeBetter)
{
  EXPECT_EQ(judged(run_of(.75), false), Symptom::improved);
  EXPECT_EQ(judged(run_of(.95), false), Symptom::degraded);
}

TEST(Judge, NumbersThatAreNoneComeBeforeInvalidOnes)
{
  EXPECT_EQ(judged(run_of(NAN)), Symptom::not_a_number);
  EXPECT_EQ(judged(run_of(INFINITY)), Symptom::not_a_number);
  EXPECT_EQ(judged(run_of(1.5)), Symptom::invalid_metric);
  EXPECT_EQ(judged(run_of(1.5, 10, NAN)), Symptom::not_a_number);
  campaign::Run without = run_of(.84);
  without.metrics.erase("loss");
  EXPECT_EQ(judged(without), Symptom::invalid_metric);
}

TEST(Judge, CrashHangAndMemoryStay)
{
  for (const Symptom symptom : {Symptom::crash, Symptom::hang, Symptom::out_of_memory}) {
    campaign::Run run = run_of(NAN);
    run.symptom = symptom;
    EXPECT_EQ(judged(run), symptom);
  }
}

TEST(Judge, ARunThatWasVouchedForHasNoSpeed)
{
  campaign::Run run = run_of(.84);
  run.decision = Decision::same_value;
  run.start = Start::none;
  run.cpu_seconds = 1000;
  EXPECT_EQ(judged(run), Symptom::normal);
  run.metrics["accuracy"] = .2;
  EXPECT_EQ(judged(run), Symptom::degraded);
}

TEST(Judge, OneCleanRunAndNoSpreadStillWork)
{
  const Spec spec = spec_of();
  const std::vector<campaign::Run> one = {run_of(.84, 10)};
  const Bounds bounds = bounds_of(one, spec);
  EXPECT_EQ(bounds.least_metric, .84);
  EXPECT_EQ(bounds.most_metric, .84);
  EXPECT_EQ(judge(run_of(.84, 12), bounds, spec), Symptom::normal);
  EXPECT_EQ(judge(run_of(.83999), bounds, spec), Symptom::degraded);
  const Bounds unknown = bounds_of({}, spec);
  EXPECT_EQ(judge(run_of(.1, 1000), unknown, spec), Symptom::normal);
}

} // namespace faultline::campaign
