#include "base/pattern.hpp"

#include <gmock/gmock.h>

namespace faultline {

using testing::ElementsAre;

static Pattern compiled(std::string_view expression, const Pattern::Options& options = {})
{
  Result<Pattern> pattern = Pattern::compile(expression, options);
  EXPECT_TRUE(pattern) << pattern.error().line();
  return *std::move(pattern);
}

TEST(Pattern, MatchesAnywhereInAText)
{
  EXPECT_TRUE(compiled("accuracy 0\\.[0-3]").matches("test accuracy 0.25"));
  EXPECT_FALSE(compiled("accuracy 0\\.[0-3]").matches("test accuracy 0.85"));
  EXPECT_TRUE(compiled("").matches(""));
  EXPECT_TRUE(compiled("^$").matches({}));
}

TEST(Pattern, FindsMatchesFromLeftToRight)
{
  std::vector<std::string> found;
  compiled("(\\w)=(\\d)?").find("a=1 b= c=3", [&found](const Pattern::Match& match) {
    found.push_back(std::string(*match.group(1)) + std::string(match.group(2).value_or("none")));
    return found.size() < 3;
  });
  EXPECT_THAT(found, ElementsAre("a1", "bnone", "c3"));
}

TEST(Pattern, AMatchOfNothingIsNotFoundTwice)
{
  size_t count = 0;
  compiled("x*").find("axxb", [&count](const Pattern::Match&) { return ++count < 100; });
  EXPECT_EQ(count, 4U);
}

TEST(Pattern, AGroupThatIsNotThereIsNothing)
{
  compiled("(a)(?<word>b)").find("ab", [](const Pattern::Match& match) {
    EXPECT_EQ(match.group(2), "b");
    EXPECT_EQ(match.group(3), std::nullopt);
    EXPECT_EQ(match.group("word"), "b");
    EXPECT_EQ(match.group("other"), "");
    return true;
  });
}

TEST(Pattern, AlternativesMayHaveGroupsOfOneName)
{
  const Pattern pattern = compiled("(?<n>a)|(?<n>b)", {.same_names = true, .limits = {}});
  std::string found;
  pattern.find("ba", [&found](const Pattern::Match& match) {
    found += match.group("n");
    return true;
  });
  EXPECT_EQ(found, "ba");
  EXPECT_EQ(pattern.groups(), 2U);
  EXPECT_THAT(pattern.group_names(), ElementsAre("n", "n"));
  EXPECT_FALSE(Pattern::compile("(?<n>a)|(?<n>b)"));
}

TEST(Pattern, SaysWhatIsWrongAndWhere)
{
  const Result<Pattern> broken = Pattern::compile("accuracy (");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().message, "missing closing parenthesis at character 11");
}

TEST(Pattern, ALineOfTenMegabytesNeitherBlowsTheStackNorTakesForever)
{
  const std::string line(10 << 20, 'a');
  EXPECT_FALSE(compiled("((a+)+)b").matches(line));
  EXPECT_FALSE(compiled("(a|b)*c").matches(line));
  compiled("^(?:(a)|b)*$").matches(line); // found or given up: both will do
  EXPECT_TRUE(compiled("accuracy \\d").matches(line + " accuracy 7"));
}

} // namespace faultline
