#include "base/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Text, SplitsAtEverySeparator)
{
  EXPECT_THAT(split("a,b,c", ','), ElementsAre("a", "b", "c"));
  EXPECT_THAT(split("a,,c", ','), ElementsAre("a", "", "c"));
  EXPECT_THAT(split(",", ','), ElementsAre("", ""));
  EXPECT_THAT(split("a", ','), ElementsAre("a"));
  EXPECT_THAT(split("", ','), ElementsAre(""));
}

TEST(Text, AFinalLineFeedStartsNoOtherLine)
{
  EXPECT_THAT(split_lines(""), IsEmpty());
  EXPECT_THAT(split_lines("a"), ElementsAre("a"));
  EXPECT_THAT(split_lines("a\n"), ElementsAre("a"));
  EXPECT_THAT(split_lines("a\n\n"), ElementsAre("a", ""));
  EXPECT_THAT(split_lines("a\r\nb"), ElementsAre("a\r", "b"));
}

TEST(Text, LinesWithTheirEndsJoinToTheTextByteForByte)
{
  for (const std::string text : {"", "\n", "a", "a\n", "a\nb", "\n\na\r\n", "a\n\nb\n"}) {
    std::string joined;
    for (const std::string_view line : split_keeping_ends(text)) {
      EXPECT_FALSE(line.empty());
      joined += line;
    }
    EXPECT_EQ(joined, text);
  }
}

TEST(Text, TrimsSpaceAtBothEndsOnly)
{
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim("a"), "a");
  EXPECT_EQ(trim(" \n\t"), "");
  EXPECT_EQ(trim(""), "");
}

TEST(Text, JoinsWithTheSeparatorBetween)
{
  EXPECT_EQ(join(std::vector<std::string>{}, ", "), "");
  EXPECT_EQ(join(std::vector<std::string>{"a"}, ", "), "a");
  EXPECT_EQ(join(std::vector<std::string>{"a", "", "c"}, ", "), "a, , c");
}

TEST(Text, ReplacesEachOccurrenceOnceEvenIfTheNewTextHoldsTheOld)
{
  EXPECT_EQ(replace_all("a\"b\"", "\"", "\"\""), "a\"\"b\"\"");
  EXPECT_EQ(replace_all("aaa", "aa", "b"), "ba");
  EXPECT_EQ(replace_all("none", "x", "y"), "none");
  EXPECT_EQ(replace_all("xx", "x", ""), "");
}

TEST(Text, CountsWithThePluralWhereItBelongs)
{
  EXPECT_EQ(count_of(0, "fault"), "0 faults");
  EXPECT_EQ(count_of(1, "fault"), "1 fault");
  EXPECT_EQ(count_of(2, "fault"), "2 faults");
}

TEST(Text, WidthCountsCodePointsAndNoColours)
{
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("café …"), 6);
  EXPECT_EQ(display_width("\x1b[31mred\x1b[0m"), 3);
  EXPECT_EQ(display_width("\x1b[31"), 0);
}

TEST(Text, WrapsAtSpacesAndIndentsWhatFollows)
{
  EXPECT_EQ(wrap("one two three", 9, 2), "one two\n  three");
  EXPECT_EQ(wrap("one two three", 100, 2), "one two three");
  EXPECT_EQ(wrap("one two", 7, 0), "one two");
  EXPECT_EQ(wrap("one two", 6, 0), "one\ntwo");
  EXPECT_EQ(wrap("", 10, 2), "");
}

TEST(Text, AWordWiderThanTheLineStaysWhole)
{
  EXPECT_EQ(wrap("a unbreakable b", 6, 1), "a\n unbreakable\n b");
}

TEST(Text, WrappingMeasuresColumnsAndNotBytes)
{
  EXPECT_EQ(wrap("ééé ééé", 7, 0), "ééé ééé");
}

TEST(Text, DistanceCountsInsertDeleteReplaceAndSwap)
{
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("split", "slpit"), 1);
  EXPECT_EQ(edit_distance("ab", "ba"), 1);
}

TEST(Text, DistanceIsTheSameBothWays)
{
  const std::vector<std::string> words = {"", "a", "loss", "loss-function", "fucntion", "sols"};
  for (const std::string& a : words) {
    for (const std::string& b : words) {
      EXPECT_EQ(edit_distance(a, b), edit_distance(b, a)) << a << " and " << b;
    }
  }
}

TEST(Text, GuessesTheNearestNameAndTheFirstOfEquals)
{
  const std::vector<std::string> names = {"pytorch", "tfjs", "libtorch"};
  EXPECT_EQ(nearest("pytroch", names), "pytorch");
  EXPECT_EQ(nearest("tf", names), "tfjs");
  EXPECT_EQ(nearest("libtorhc", names), "libtorch");
  EXPECT_EQ(nearest("ab", std::vector<std::string>{"ac", "ad"}), "ac");
}

TEST(Text, GuessesNothingIfAllNamesAreFarAway)
{
  EXPECT_EQ(nearest("keras", std::vector<std::string>{"pytorch", "tfjs"}), std::nullopt);
  EXPECT_EQ(nearest("keras", std::vector<std::string>{}), std::nullopt);
}

TEST(Text, AGuessIsTheTailOfAMessageOrNothing)
{
  const std::vector<std::string> names = {"crash", "hang"};
  EXPECT_EQ(did_you_mean("crahs", names), ", did you mean `crash`?");
  EXPECT_EQ(did_you_mean("bad-performance", names), "");
}

TEST(Text, ValidUtf8StaysAsItIs)
{
  for (const std::string text : {"", "plain", "café", "\u20AC", "\U0001F600", "\u07FF\uFFFD"}) {
    EXPECT_EQ(to_valid_utf8(text), text);
  }
}

TEST(Text, EachWrongByteBecomesAReplacementCharacter)
{
  constexpr const char* k_one = "\uFFFD";
  constexpr const char* k_two = "\uFFFD\uFFFD";
  constexpr const char* k_three = "\uFFFD\uFFFD\uFFFD";
  constexpr const char* k_four = "\uFFFD\uFFFD\uFFFD\uFFFD";
  EXPECT_EQ(to_valid_utf8("\xFF"), k_one);
  EXPECT_EQ(to_valid_utf8("\x80"), k_one);
  EXPECT_EQ(to_valid_utf8("a\xC3z"), std::string("a") + k_one + "z");
  EXPECT_EQ(to_valid_utf8("\xC3"), k_one);              // cut off
  EXPECT_EQ(to_valid_utf8("\xE2\x82"), k_two);          // cut off
  EXPECT_EQ(to_valid_utf8("\xC0\xAF"), k_two);          // overlong
  EXPECT_EQ(to_valid_utf8("\xE0\x80\xAF"), k_three);    // overlong
  EXPECT_EQ(to_valid_utf8("\xED\xA0\x80"), k_three);    // a surrogate
  EXPECT_EQ(to_valid_utf8("\xF4\x90\x80\x80"), k_four); // beyond U+10FFFF
  EXPECT_EQ(to_valid_utf8("\xF0\x8F\xBF\xBF"), k_four); // overlong
}

} // namespace faultline
