// A table of six faults on which every number can be counted by hand.

#include "evaluate/score.hpp"

#include <gtest/gtest.h>

namespace faultline::evaluate {

static JudgedFinding finding(bool type, bool line, std::optional<size_t> distance = {})
{
  JudgedFinding made;
  made.right_type = type;
  made.right_category = type;
  made.right_line = line;
  made.right_statement = line;
  made.right_layer = line;
  made.distance = distance;
  return made;
}

static JudgedFinding staying()
{
  JudgedFinding made = finding(true, true, 0);
  made.stays = true;
  return made;
}

static std::vector<Judgement> table()
{
  std::vector<Judgement> rows(6);
  // 1: type and line at once.
  rows[0].verdict = Verdict::both;
  rows[0].findings = {finding(true, true, 0)};
  // 2: something else, and an alarm.
  rows[1].verdict = Verdict::wrong_cause;
  rows[1].findings = {finding(false, false, 7)};
  rows[1].findings[0].right_category = true;
  rows[1].alarms = {finding(false, false)};
  // 3: only what stays.
  rows[2].verdict = Verdict::said_nothing;
  rows[2].findings = {staying()};
  rows[2].alarms = {finding(false, false)};
  // 4: the type; the place only as a statement, in the second finding, two lines off.
  rows[3].verdict = Verdict::right_type;
  rows[3].findings = {finding(false, false), finding(true, false, 2)};
  rows[3].findings[1].right_statement = true;
  rows[3].findings[1].right_layer = true;
  for (size_t i = 0; i < 4; ++i) {
    rows[i].fixed_ran = true;
    rows[i].seconds = 1.5;
    rows[i].memory_kib = 1000 * (i + 1);
  }
  rows[4].verdict = Verdict::crashed;
  rows[5].verdict = Verdict::not_applicable;
  return rows;
}

static std::vector<const Judgement*> pointers(const std::vector<Judgement>& rows)
{
  std::vector<const Judgement*> all;
  for (const Judgement& row : rows) {
    all.push_back(&row);
  }
  return all;
}

static void expect_share(const Share& share, size_t hits, size_t of)
{
  EXPECT_EQ(share.hits, hits);
  EXPECT_EQ(share.of, of);
}

TEST(Score, CountsEveryShareOfTheTable)
{
  const std::vector<Judgement> rows = table();
  const Scores scores = score(pointers(rows));
  EXPECT_EQ(scores.faults, 6U);
  expect_share(scores.recall, 2, 5); // 1 and 4, of all but 6
  expect_share(scores.recall_of_all, 2, 6);
  expect_share(scores.detected, 3, 5);          // 1, 2, 4
  expect_share(scores.precision, 2, 5);         // right 1, 4; wrong 2; alarms on 2 and 3
  expect_share(scores.finding_precision, 2, 7); // 5 findings and 2 alarms; right: 1 and 4's second
  expect_share(scores.false_alarms, 2, 4);      // 2 and 3, of those that ran
  expect_share(scores.type, 2, 3);
  expect_share(scores.category, 3, 3);
  expect_share(scores.line.top1, 1, 5);
  expect_share(scores.line.top5, 1, 5);
  expect_share(scores.statement.top1, 1, 5);
  expect_share(scores.statement.top3, 2, 5);
  expect_share(scores.layer.top3, 2, 5);
  EXPECT_EQ(scores.distances, (std::vector<size_t>{0, 2, 7}));
  EXPECT_EQ(scores.median_distance(), 2);
  EXPECT_EQ(scores.verdicts.at(Verdict::said_nothing), 1U);
  EXPECT_EQ(scores.verdicts.at(Verdict::not_applicable), 1U);
  EXPECT_DOUBLE_EQ(scores.seconds, 6);
  EXPECT_EQ(scores.memory_kib, 4000U);
}

// By scipy.stats.binomtest(2, 5).proportion_ci(method="wilson"), SciPy 1.10.1.
TEST(Score, GivesWilsonsInterval)
{
  const Share share{2, 5};
  EXPECT_NEAR(share.interval().low, 0.11762077423264783, 1e-9);
  EXPECT_NEAR(share.interval().high, 0.7692757187239871, 1e-9);
  EXPECT_EQ(Share{}.value(), std::nullopt);
}

TEST(Score, RanksAndComparesTools)
{
  Evaluation evaluation;
  for (int i = 0; i < 6; ++i) {
    Subject subject;
    subject.id = "f" + std::to_string(i + 1);
    subject.groups["framework"] = {i < 2 ? "pytorch" : "tfjs"};
    evaluation.subjects.push_back(subject);
  }
  const auto add = [&evaluation](const std::string& name, const std::vector<Judgement>& rows) {
    ToolResult result;
    result.tool.name = name;
    for (const Judgement& row : rows) {
      result.cells.push_back({row, {}});
    }
    evaluation.tools.push_back(result);
  };
  std::vector<Judgement> better = table();
  better[1].verdict = better[2].verdict = Verdict::right_place;
  std::vector<Judgement> absent(6);
  for (Judgement& row : absent) {
    row.verdict = Verdict::not_installed;
  }
  add("absent", absent);
  add("worse", table());
  add("better", better);
  const Scoreboard board = score(evaluation);
  EXPECT_EQ(board.order, (std::vector<size_t>{2, 1, 0}));
  ASSERT_EQ(board.pairs.size(), 1U); // who is not installed is compared with nobody
  EXPECT_EQ(board.pairs[0].both, 2U);
  EXPECT_EQ(board.pairs[0].only_first, 0U);
  EXPECT_EQ(board.pairs[0].only_second, 2U);
  EXPECT_EQ(board.pairs[0].neither, 1U);
  EXPECT_DOUBLE_EQ(board.pairs[0].p, 0.5);
  EXPECT_DOUBLE_EQ(board.pairs[0].p_adjusted, 0.5); // the only test there is
  ASSERT_EQ(board.tools[1].groups.size(), 2U);
  EXPECT_EQ(board.tools[1].groups[0].name, "pytorch");
  expect_share(board.tools[1].groups[0].scores.recall, 1, 2);
  expect_share(board.tools[1].groups[1].scores.recall, 1, 3);
}

} // namespace faultline::evaluate
