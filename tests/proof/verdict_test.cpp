#include "proof/verdict.hpp"

#include <gtest/gtest.h>

namespace faultline::proof {

static run::RunOutcome ended(run::Ending ending, int code, std::string log, std::string report)
{
  run::RunOutcome outcome;
  outcome.ending = ending;
  outcome.code = code;
  outcome.log = std::move(log);
  outcome.result = std::move(report);
  return outcome;
}

static run::RunOutcome exited(int code, std::string report)
{
  return ended(run::Ending::exited, code, "", std::move(report));
}

static std::string report(const std::string& verdict, int checks, const std::string& metrics = "")
{
  return "{\"verdict\": \"" + verdict +
         "\", \"message\": \"accuracy 0.1\", \"checks\": " + std::to_string(checks) +
         ", \"metrics\": {" + metrics + "}}\n";
}

static catalog::Fault with_metric(bool higher)
{
  catalog::Fault fault;
  fault.oracle.statistical = catalog::StatisticalOracle{"loss", higher, 0.5, 5, "welch", 0.01, 1};
  return fault;
}

TEST(Verdict, FollowsTheReportOfTheTest)
{
  const Judgement passed = judge({}, exited(0, report("pass", 2)));
  EXPECT_EQ(passed.verdict, Verdict::pass);
  EXPECT_EQ(passed.why, "the test passed");
  const Judgement failed = judge({}, exited(1, report("fail", 2)));
  EXPECT_EQ(failed.verdict, Verdict::fail);
  EXPECT_EQ(failed.why, "accuracy 0.1");
}

TEST(Verdict, IsNoPassWithoutAReportWhateverTheExitStatusAndTheLogSay)
{
  const Judgement silent =
      judge({}, ended(run::Ending::exited, 0, "pass\n" + report("pass", 2), ""));
  EXPECT_EQ(silent.verdict, Verdict::fail);
  EXPECT_EQ(silent.why, "the test ended without a report");
  EXPECT_EQ(judge({}, ended(run::Ending::exited, 1, "x\nKeyError: y\n\n", "")).why,
            "exit status 1: KeyError: y");
  EXPECT_EQ(judge({}, ended(run::Ending::signalled, 11, "", "")).why, "killed by SIGSEGV");
}

TEST(Verdict, IsNoPassIfTheTestDidNotEndWell)
{
  const Judgement odd = judge({}, exited(3, report("pass", 2)));
  EXPECT_EQ(odd.verdict, Verdict::fail);
  EXPECT_EQ(odd.why, "exit status 3 after the test had passed");
  EXPECT_EQ(judge({}, ended(run::Ending::timed_out, 0, "", report("pass", 2))).verdict,
            Verdict::fail);
  EXPECT_EQ(judge({}, ended(run::Ending::signalled, 9, "", report("pass", 2))).verdict,
            Verdict::fail);
}

TEST(Verdict, IsNoPassIfNothingWasChecked)
{
  EXPECT_EQ(judge({}, exited(0, report("pass", 0))).why, "the test checked nothing");
  EXPECT_EQ(judge({}, exited(0, report("pass", 0, "\"a\": \"1\""))).verdict, Verdict::pass);
}

TEST(Verdict, NeedsOneReportThatCanBeRead)
{
  for (const std::string& text : {report("pass", 2) + report("pass", 2),
                                  report("passed", 2),
                                  report("pass", -1),
                                  report("pass", 2, "\"a\": 1"),
                                  report("pass", 2, "\"a\": \"1 \""),
                                  report("pass", 2).substr(1),
                                  report("pass", 2) + "x",
                                  std::string("[]"),
                                  std::string("{}"),
                                  std::string(1 << 20, ' ') + report("pass", 2),
                                  std::string(1 << 20, '[')}) {
    const Judgement judgement = judge({}, exited(0, text));
    EXPECT_EQ(judgement.verdict, Verdict::fail) << text.substr(0, 200);
    EXPECT_EQ(judgement.why, "the test's report cannot be read");
  }
}

TEST(Verdict, NeverBlamesTheProgramForTheMachine)
{
  EXPECT_EQ(judge({}, ended(run::Ending::machine_failure, 0, "", report("pass", 2))).verdict,
            Verdict::none);
  EXPECT_EQ(judge({}, ended(run::Ending::interrupted, 0, "", "")).verdict, Verdict::none);
}

TEST(Verdict, JudgesAMetricByItsThreshold)
{
  const auto verdict = [](bool higher, const char* metrics) {
    return judge(with_metric(higher), exited(0, report("pass", 1, metrics))).verdict;
  };
  EXPECT_EQ(verdict(true, R"("loss": "0.5")"), Verdict::pass);
  EXPECT_EQ(verdict(true, R"("loss": "0.4")"), Verdict::fail);
  EXPECT_EQ(verdict(false, R"("loss": "0.4")"), Verdict::pass);
  EXPECT_EQ(verdict(false, R"("loss": "0.6")"), Verdict::fail);
  EXPECT_EQ(verdict(false, R"("loss": "nan")"), Verdict::fail);
  EXPECT_EQ(verdict(false, R"("loss": "inf")"), Verdict::fail);
  EXPECT_EQ(verdict(false, R"("other": "0.1")"), Verdict::fail);
  EXPECT_EQ(verdict(false, ""), Verdict::fail);
}

TEST(Verdict, TakesNoMetricFromTheLog)
{
  const Judgement judgement = judge(
      with_metric(true), ended(run::Ending::exited, 0, "metric loss 1.0\n", report("pass", 1)));
  EXPECT_EQ(judgement.verdict, Verdict::fail);
  EXPECT_EQ(judgement.why, "the test reported no loss");
}

} // namespace faultline::proof
