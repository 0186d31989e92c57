#include "rules/suppression.hpp"

#include <gtest/gtest.h>

namespace faultline::rules {

namespace {

// Whether a finding of DL213 on `line` is suppressed.
void check(std::string_view text, size_t line, bool expected)
{
  EXPECT_EQ(Suppressions(text).covers(*find_rule("DL213"), line, line), expected)
      << text << "\nline " << line;
}

} // namespace

TEST(Suppression, HoldsOnItsLineOnly)
{
  const char* text = "a = 1\nb = 2  # faultline: ignore DL213\nc = 3\n";
  check(text, 1, false);
  check(text, 2, true);
  check(text, 3, false);
}

TEST(Suppression, ACommentAloneHoldsForTheLineBelow)
{
  const char* text = "# faultline: ignore DL213\na = 1\nb = 2\n";
  check(text, 2, true);
  check(text, 3, false);
  check("# faultline: ignore DL213\n# and why\na = 1\n", 3, true);
  check("# faultline: ignore DL213\n\na = 1\n", 3, false);
}

TEST(Suppression, NamesRulesByCodePrefixGroupOrName)
{
  check("a  # faultline: ignore DL101\n", 1, false);
  check("a  # faultline: ignore DL101, DL213\n", 1, true);
  check("a  # faultline: ignore DL2\n", 1, true);
  check("a  # faultline: ignore loss\n", 1, true);
  check("a  # faultline: ignore probabilities-into-cross-entropy\n", 1, true);
  check("a  # faultline: ignore DL213 because the scores are small\n", 1, true);
}

TEST(Suppression, WithoutARuleItMeansAllOfThem)
{
  check("a  # faultline: ignore\n", 1, true);
  check("a  #faultline:ignore\n", 1, true);
  check("a  # faultline: ignore (on purpose)\n", 1, true);
  check("a  # noqa # faultline: ignore\n", 1, true);
}

TEST(Suppression, AWordThatIsNoRuleSuppressesNothing)
{
  check("a  # faultline: ignore DL21 3\n", 1, true);
  check("a  # faultline: ignore DLL213\n", 1, false);
}

TEST(Suppression, AFileMayBeIgnored)
{
  check("a\n# faultline: ignore-file\nb\n", 1, true);
  check("a\n# faultline: ignore-file DL213\nb\n", 3, true);
  check("a\n# faultline: ignore-file DL101\nb\n", 3, false);
}

TEST(Suppression, OnlyACommentCounts)
{
  check("print('faultline: ignore')\n", 1, false);
  check("a  # see faultline: ignore\n", 1, false);
}

TEST(Suppression, AStatementOfSeveralLinesIsCoveredFromItsFirstOrLast)
{
  const Suppressions comments("f(a,\n  b,\n  c)  # faultline: ignore DL213\n");
  EXPECT_TRUE(comments.covers(*find_rule("DL213"), 1, 3));
  EXPECT_FALSE(comments.covers(*find_rule("DL213"), 1, 2));
}

} // namespace faultline::rules
