#include "proof/verdict.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace faultline::proof {

static run::RunOutcome ended(run::Ending ending, int code, std::string log)
{
  run::RunOutcome outcome;
  outcome.ending = ending;
  outcome.code = code;
  outcome.log = std::move(log);
  return outcome;
}

static catalog::Fault with_metric(bool higher)
{
  catalog::Fault fault;
  fault.oracle.statistical = catalog::StatisticalOracle{"loss", higher, 0.5, 5, "welch", 0.01, 1};
  return fault;
}

TEST(Verdict, FollowsTheExitStatus)
{
  EXPECT_EQ(judge({}, ended(run::Ending::exited, 0, "")).verdict, Verdict::pass);
  const Judgement failed = judge({}, ended(run::Ending::exited, 1, "x\nFAIL: accuracy 0.1\n\n"));
  EXPECT_EQ(failed.verdict, Verdict::fail);
  EXPECT_EQ(failed.why, "exit status 1: FAIL: accuracy 0.1");
  EXPECT_EQ(judge({}, ended(run::Ending::signalled, 11, "")).why, "killed by SIGSEGV");
  EXPECT_EQ(judge({}, ended(run::Ending::timed_out, 0, "")).verdict, Verdict::fail);
}

TEST(Verdict, NeverBlamesTheProgramForTheMachine)
{
  EXPECT_EQ(judge({}, ended(run::Ending::machine_failure, 0, "")).verdict, Verdict::none);
  EXPECT_EQ(judge({}, ended(run::Ending::interrupted, 0, "")).verdict, Verdict::none);
}

TEST(Verdict, JudgesAMetricByItsThreshold)
{
  const auto verdict = [](bool higher, const char* log) {
    return judge(with_metric(higher), ended(run::Ending::exited, 0, log)).verdict;
  };
  EXPECT_EQ(verdict(true, "metric loss 0.5\n"), Verdict::pass);
  EXPECT_EQ(verdict(true, "metric loss 0.4\n"), Verdict::fail);
  EXPECT_EQ(verdict(false, "metric loss 0.4\n"), Verdict::pass);
  EXPECT_EQ(verdict(false, "metric loss 0.6\n"), Verdict::fail);
  EXPECT_EQ(verdict(false, "metric loss nan\n"), Verdict::fail);
  EXPECT_EQ(verdict(false, "metric other 0.1\n"), Verdict::fail);
  EXPECT_EQ(verdict(false, ""), Verdict::fail);
}

TEST(Metric, IsTheLastThatWasReported)
{
  EXPECT_EQ(find_metric("metric a 1\nmetric b 7\nmetric a 2.5\n", "a"), 2.5);
  EXPECT_EQ(find_metric("metric ab 1\n", "a"), std::nullopt);
  EXPECT_EQ(find_metric("metric a one\n", "a"), std::nullopt);
  EXPECT_TRUE(std::isinf(*find_metric("metric a inf\n", "a")));
}

} // namespace faultline::proof
