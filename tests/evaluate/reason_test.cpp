#include "evaluate/reason.hpp"

#include <gtest/gtest.h>

namespace faultline::evaluate {

namespace {

Subject subject()
{
  Subject made;
  made.types = {"api/wrong-api-usage"};
  made.places = {{"train.py", {17}}};
  return made;
}

JudgedFinding at(size_t line, std::optional<size_t> distance, const std::string& type = "")
{
  JudgedFinding judged;
  judged.finding.file = "train.py";
  judged.finding.line = line;
  judged.distance = distance;
  judged.type = type;
  return judged;
}

std::string reason(Verdict verdict, std::vector<JudgedFinding> findings, std::string why = "")
{
  Judgement judgement;
  judgement.verdict = verdict;
  judgement.findings = std::move(findings);
  judgement.reason = std::move(why);
  return reason_for(judgement, subject());
}

} // namespace

TEST(Reason, NothingSaid)
{
  EXPECT_EQ(reason(Verdict::said_nothing, {}), "said nothing about the buggy version that counts");
  JudgedFinding stays = at(3, 14);
  stays.stays = true;
  EXPECT_EQ(reason(Verdict::said_nothing, {stays}),
            "1 finding, of which each is there on the fixed version, too");
}

TEST(Reason, AnotherPlaceIsTheNearestAndHowFar)
{
  EXPECT_EQ(
      reason(Verdict::wrong_cause, {at(2, 15), at(12, 5), at(40, 23)}),
      "said at another place: train.py:12, 5 lines away; right is train.py:17; named no cause; "
      "right is api/wrong-api-usage");
  EXPECT_EQ(reason(Verdict::right_type, {at(0, std::nullopt)}),
            "said at another place: train.py without a line; right is train.py:17");
}

TEST(Reason, AnotherCause)
{
  EXPECT_EQ(reason(Verdict::right_place, {at(17, 0, "api/deprecated-api")}),
            "named another cause: api/deprecated-api; right is api/wrong-api-usage");
}

TEST(Reason, WhatIsNotAboutFindings)
{
  EXPECT_EQ(reason(Verdict::crashed, {}, "exit status 7"), "exit status 7");
  EXPECT_EQ(reason(Verdict::timed_out, {}), "timed out");
  EXPECT_EQ(reason(Verdict::both, {at(17, 0)}), "named the cause and the place");
}

} // namespace faultline::evaluate
