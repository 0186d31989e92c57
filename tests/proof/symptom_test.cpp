#include "proof/symptom.hpp"

#include <gtest/gtest.h>

namespace faultline::proof {

static std::string missing(const char* symptom, const char* evidence, run::RunOutcome outcome)
{
  catalog::Fault fault;
  fault.oracle.evidence = evidence;
  fault.parts.resize(1);
  fault.parts[0].labels.values[3] = symptom;
  return missing_symptom(fault, outcome);
}

static run::RunOutcome ended(run::Ending ending, std::string log)
{
  run::RunOutcome outcome;
  outcome.ending = ending;
  outcome.code = 1;
  outcome.log = std::move(log);
  return outcome;
}

TEST(Symptom, NeedsTheEvidenceInOneLine)
{
  EXPECT_EQ(missing("bad-performance",
                    "accuracy 0\\.[0-3]",
                    ended(run::Ending::exited, "x\naccuracy 0.2\n")),
            "");
  EXPECT_EQ(missing("bad-performance",
                    "accuracy 0\\.[0-3]",
                    ended(run::Ending::exited, "accuracy\n0.2\n")),
            "the log of the buggy run does not match the evidence `accuracy 0\\.[0-3]`");
}

TEST(Symptom, OfACrashIsAnException)
{
  EXPECT_EQ(missing("crash", "shapes", ended(run::Ending::exited, "RuntimeError: shapes\n")), "");
  EXPECT_EQ(missing("crash", "shapes", ended(run::Ending::exited, "shapes are odd\n")),
            "the buggy run (exit status 1) does not show the symptom `crash`");
  EXPECT_EQ(missing("crash", "x", ended(run::Ending::signalled, "x\n")), "");
}

TEST(Symptom, OfAHangIsTheTimeLimitOrATestThatSaysSo)
{
  EXPECT_EQ(missing("hang", "never matched", ended(run::Ending::timed_out, "")), "");
  EXPECT_EQ(missing("hang", "still", ended(run::Ending::exited, "still running after 2 s\n")), "");
}

TEST(Symptom, OfAWrongResultIsNotALimit)
{
  EXPECT_NE(missing("bad-performance", "x", ended(run::Ending::timed_out, "x\n")), "");
}

TEST(Symptom, SurvivesALineOfMegabytes)
{
  const std::string line(10 << 20, 'a');
  EXPECT_FALSE(matches(line, "(a|b)*c"));
  EXPECT_FALSE(matches(line, "(a+)+$x"));
  EXPECT_TRUE(matches(line + " accuracy 0.1", "accuracy 0\\.[0-3]"));
}

TEST(Symptom, OfAProgramThatASignalEndedIsACrash)
{
  EXPECT_EQ(missing("crash",
                    "program",
                    ended(run::Ending::exited, "FAIL: the program was killed by SIGSEGV\n")),
            "");
}

} // namespace faultline::proof
