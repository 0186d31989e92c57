#include "source/line_diff.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace faultline::source {

namespace {

// "=2 -1 +3": the kinds and lengths of the runs.
std::string runs(std::string_view before, std::string_view after)
{
  std::string text;
  for (const LineChange& change : line_diff(before, after)) {
    text += text.empty() ? "" : " ";
    text += change.kind == LineKind::kept ? '=' : change.kind == LineKind::removed ? '-' : '+';
    text += std::to_string(change.count);
  }
  return text;
}

using Lines = std::vector<std::string_view>;

Lines random_lines(std::mt19937_64& random, size_t most, size_t alphabet)
{
  static constexpr std::string_view k_letters = "abcdefghijklmnopqrstuvwxyz";
  Lines lines;
  for (size_t n = random() % (most + 1); n > 0; --n) {
    lines.push_back(k_letters.substr(random() % alphabet, 1));
  }
  return lines;
}

// The changes fit both sides, so that they turn one into the other. Returns how many lines change.
size_t check_is_a_diff(const Lines& before, const Lines& after)
{
  size_t i = 0;
  size_t j = 0;
  size_t changed = 0;
  LineKind last = LineKind::kept;
  const std::vector<LineChange> changes = line_diff(before, after);
  for (const LineChange& change : changes) {
    EXPECT_EQ(change.old_line, i);
    EXPECT_EQ(change.new_line, j);
    EXPECT_GT(change.count, 0U);
    EXPECT_TRUE(&change == changes.data() || change.kind != last) << "runs are as long as can be";
    EXPECT_FALSE(last == LineKind::added && change.kind == LineKind::removed);
    last = change.kind;
    if (change.kind == LineKind::kept) {
      EXPECT_TRUE(std::equal(before.begin() + static_cast<long>(i),
                             before.begin() + static_cast<long>(i + change.count),
                             after.begin() + static_cast<long>(j)));
    } else {
      changed += change.count;
    }
    i += change.kind == LineKind::added ? 0 : change.count;
    j += change.kind == LineKind::removed ? 0 : change.count;
  }
  EXPECT_EQ(i, before.size());
  EXPECT_EQ(j, after.size());
  return changed;
}

// By the table that everybody knows.
size_t longest_common_subsequence(const Lines& a, const Lines& b)
{
  std::vector<std::vector<size_t>> table(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1
                                         : std::max(table[i - 1][j], table[i][j - 1]);
    }
  }
  return table[a.size()][b.size()];
}

} // namespace

TEST(LineDiff, FindsWhatChanged)
{
  EXPECT_EQ(runs("", ""), "");
  EXPECT_EQ(runs("a\nb\n", "a\nb\n"), "=2");
  EXPECT_EQ(runs("", "a\nb\n"), "+2");
  EXPECT_EQ(runs("a\nb\n", ""), "-2");
  EXPECT_EQ(runs("a\nb\nc\n", "a\nx\ny\nc\n"), "=1 -1 +2 =1");
  EXPECT_EQ(runs("a\nb\nc\nd\n", "b\nc\nd\ne\n"), "-1 =3 +1");
}

TEST(LineDiff, TellsALineWithoutLineFeedFromOneWith)
{
  EXPECT_EQ(runs("a\nb", "a\nb\n"), "=1 -1 +1");
}

TEST(LineDiff, IsShortestOnSmallFiles)
{
  std::mt19937_64 random(3);
  for (int round = 0; round < 3000; ++round) {
    const size_t alphabet = 1 + random() % 8;
    const Lines a = random_lines(random, 30, alphabet);
    const Lines b = random_lines(random, 30, alphabet);
    const size_t shortest = a.size() + b.size() - 2 * longest_common_subsequence(a, b);
    EXPECT_EQ(check_is_a_diff(a, b), shortest);
  }
}

// Thousands of differences: the search gives up on the shortest and must still be right.
TEST(LineDiff, IsCorrectWhenItGivesUpOnTheShortest)
{
  std::mt19937_64 random(4);
  for (int round = 0; round < 10; ++round) {
    const Lines a = random_lines(random, 6000, 26);
    const Lines b = random_lines(random, 6000, 26);
    check_is_a_diff(a, b);
  }
}

// Shuffled lines are the worst case: nothing can be set aside and everything differs. A quadratic
// algorithm would need ten billion steps, or as many bytes.
TEST(LineDiff, CopesWithAHundredThousandShuffledLines)
{
  std::mt19937_64 random(5);
  std::vector<std::string> names;
  for (int i = 0; i < 100'000; ++i) {
    names.push_back(std::to_string(i));
  }
  const Lines before(names.begin(), names.end());
  Lines after = before;
  std::ranges::shuffle(after, random);
  check_is_a_diff(before, after);
}

} // namespace faultline::source
