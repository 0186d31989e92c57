#include "evaluate/verdict.hpp"

#include <gtest/gtest.h>

namespace faultline::evaluate {

// The fault is in line 3; its fix replaces that line and adds one above.
class VerdictTest : public testing::Test {
protected:
  VerdictTest()
  {
    m_subject.id = "f";
    m_subject.buggy = {{"train.py", "import os\nx = 1\ny = bad(x)\nz = 2\n"}};
    m_subject.fixed = {{"train.py", "import os\nimport sys\nx = 1\ny = good(x)\nz = 2\n"}};
    m_subject.types = {"training/loss-function/missing-loss-function"};
    m_subject.places = {{"train.py", {3}}};
    m_tool.name = "t";
    m_tool.types["L1"] = "training/loss-function/missing-loss-function";
    m_tool.types["L2"] = "training/loss-function/wrong-loss-function-calculation";
  }

  static ToolRun fine(std::vector<ToolFinding> findings)
  {
    ToolRun run;
    run.status = RunStatus::fine;
    run.findings = std::move(findings);
    return run;
  }
  static ToolFinding at(size_t line, std::string rule, std::string severity = "error")
  {
    return {std::move(rule), "train.py", line, "", "", std::move(severity)};
  }
  Judgement judged(ToolRun buggy, ToolRun fixed) const
  {
    const Attempt attempt{&m_tool, {}, {}, std::move(buggy), std::move(fixed)};
    const Attempt* const attempts[] = {&attempt};
    return judge(Key(m_subject), attempts);
  }
  Verdict verdict(std::vector<ToolFinding> buggy, std::vector<ToolFinding> fixed = {}) const
  {
    return judged(fine(std::move(buggy)), fine(std::move(fixed))).verdict;
  }

  Subject m_subject;
  Tool m_tool;
};

TEST_F(VerdictTest, NamesTypeAndPlace)
{
  EXPECT_EQ(verdict({}), Verdict::said_nothing);
  EXPECT_EQ(verdict({at(3, "X")}), Verdict::right_place);
  EXPECT_EQ(verdict({at(2, "L1")}), Verdict::right_type);
  EXPECT_EQ(verdict({at(3, "L1")}), Verdict::both);
  EXPECT_EQ(verdict({at(3, "X"), at(1, "L1")}), Verdict::both);
  EXPECT_EQ(verdict({at(2, "L2")}), Verdict::wrong_cause);
  EXPECT_EQ(verdict({at(0, "X")}), Verdict::wrong_cause);
}

TEST_F(VerdictTest, TheTypeThatAToolNamesItselfComesFirst)
{
  ToolFinding finding = at(1, "L2");
  finding.type = "training/loss-function/missing-loss-function";
  EXPECT_EQ(verdict({finding}), Verdict::right_type);
}

TEST_F(VerdictTest, WhatStaysOnTheFixedVersionDoesNotDetect)
{
  EXPECT_EQ(verdict({at(2, "L1")}, {at(3, "L1")}),
            Verdict::said_nothing); // x = 1, a line further down
  EXPECT_EQ(verdict({at(2, "L1")}, {at(2, "L1")}), Verdict::right_type); // another line
  EXPECT_EQ(verdict({at(3, "L1")}, {at(4, "L1")}),
            Verdict::said_nothing);                                // the line that was replaced
  EXPECT_EQ(verdict({at(3, "L1")}, {at(4, "L2")}), Verdict::both); // another rule
  EXPECT_EQ(verdict({at(0, "L1")}, {at(0, "L1")}), Verdict::said_nothing); // about the file
}

TEST_F(VerdictTest, WhatIsSaidOfALibraryStaysAtTheSameLine)
{
  const auto in = [](std::string file, size_t line) {
    ToolFinding finding = at(line, "L1");
    finding.file = std::move(file);
    return finding;
  };
  EXPECT_EQ(verdict({in("/lib/torch/nn.py", 7)}, {in("/lib/torch/nn.py", 7)}),
            Verdict::said_nothing);
  EXPECT_EQ(verdict({in("/lib/torch/nn.py", 7)}, {in("/lib/torch/nn.py", 8)}), Verdict::right_type);
  EXPECT_EQ(verdict({in("/lib/torch/nn.py", 7)}, {in("/lib/numpy.py", 7)}), Verdict::right_type);
  EXPECT_EQ(verdict({in("/lib/torch/nn.py", 7)}), Verdict::right_type);
  // A file of one version only is not the same file, even at the same line.
  m_subject.buggy["old.py"] = "x = 1\n";
  EXPECT_EQ(verdict({in("old.py", 1)}, {in("old.py", 1)}), Verdict::right_type);
}

TEST_F(VerdictTest, AFindingOnTheFixedVersionIsAFalseAlarm)
{
  const Judgement judgement = judged(fine({at(3, "L1")}), fine({at(1, "X")}));
  EXPECT_EQ(judgement.verdict, Verdict::both);
  EXPECT_EQ(judgement.alarms.size(), 1U);
}

TEST_F(VerdictTest, OnlyLevelsThatCountDo)
{
  EXPECT_EQ(verdict({at(3, "L1", "note")}), Verdict::said_nothing);
  EXPECT_EQ(verdict({at(3, "L1", "warning")}), Verdict::both);
  m_tool.levels = {source::Severity::error};
  EXPECT_EQ(verdict({at(3, "L1", "warning")}), Verdict::said_nothing);
}

TEST_F(VerdictTest, FilesAreFoundUnderAnyFolder)
{
  for (const char* path :
       {"./train.py", "/fault/program/train.py", "file:///fault/program/train.py"}) {
    ToolFinding finding = at(3, "X");
    finding.file = path;
    EXPECT_EQ(verdict({finding}), Verdict::right_place) << path;
  }
  ToolFinding finding = at(3, "X");
  finding.file = "mytrain.py";
  EXPECT_EQ(verdict({finding}), Verdict::wrong_cause);
}

TEST_F(VerdictTest, ARunThatFailedIsWhatItIs)
{
  ToolRun crashed;
  crashed.status = RunStatus::crashed;
  crashed.reason = "exit status 3";
  EXPECT_EQ(judged(crashed, fine({})).verdict, Verdict::crashed);
  // Crashing on the fixed version must not turn every finding into a detection.
  const Judgement judgement = judged(fine({at(3, "L1")}), crashed);
  EXPECT_EQ(judgement.verdict, Verdict::crashed);
  EXPECT_EQ(judgement.reason, "on the fixed version: exit status 3");
  EXPECT_FALSE(judgement.fixed_ran);
}

TEST_F(VerdictTest, AUnionSaysWhatItsMembersSay)
{
  Tool second = m_tool;
  second.name = "u";
  ToolRun crashed;
  crashed.status = RunStatus::crashed;
  const Attempt place{&m_tool, {}, {}, fine({at(3, "X")}), fine({})};
  const Attempt type{&second, {}, {}, fine({at(1, "L1")}), fine({at(5, "Y")})};
  const Attempt broken{&second, {}, {}, crashed, crashed};
  const Attempt absent{&second, "not for python", {}, {}, {}};
  const auto together = [this](const Attempt& a, const Attempt& b) {
    const Attempt* const attempts[] = {&a, &b};
    return judge(Key(m_subject), attempts);
  };
  EXPECT_EQ(together(place, type).verdict, Verdict::both);
  EXPECT_EQ(together(place, type).alarms.size(), 1U);
  EXPECT_EQ(together(broken, place).verdict, Verdict::right_place);
  EXPECT_EQ(together(absent, place).verdict, Verdict::right_place);
  EXPECT_EQ(together(absent, broken).verdict, Verdict::crashed);
  EXPECT_EQ(together(absent, absent).verdict, Verdict::not_applicable);
}

TEST_F(VerdictTest, AUnionIsNotKnownBeforeAllMembersRan)
{
  const Attempt ran{&m_tool, {}, {}, fine({at(3, "L1")}), fine({})};
  ToolRun waiting;
  waiting.reason = "not run yet";
  const Attempt missing{&m_tool, {}, {}, waiting, waiting};
  for (const auto& [a, b] : {std::pair(&ran, &missing), std::pair(&missing, &ran)}) {
    const Attempt* const attempts[] = {a, b};
    const Judgement judgement = judge(Key(m_subject), attempts);
    EXPECT_EQ(judgement.verdict, Verdict::not_run);
    EXPECT_EQ(judgement.reason, "not run yet");
    EXPECT_TRUE(judgement.findings.empty());
  }
}

TEST_F(VerdictTest, AcceptedAnswersCount)
{
  m_subject.types.push_back("api/deprecated-api");
  m_subject.places.push_back({"train.py", {1}});
  ToolFinding finding = at(1, "X");
  finding.type = "api/deprecated-api";
  EXPECT_EQ(verdict({finding}), Verdict::both);
}

} // namespace faultline::evaluate
