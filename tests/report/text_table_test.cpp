#include "report/text_table.hpp"

#include <gtest/gtest.h>

namespace faultline::report {

namespace {

const Painter k_plain(false);

TextTable table_of(std::vector<Column> columns, const std::vector<std::vector<std::string>>& rows)
{
  TextTable table(std::move(columns));
  for (const std::vector<std::string>& row : rows) {
    table.add(row);
  }
  return table;
}

} // namespace

TEST(TextTable, ColumnsAreAsWideAsTheirWidestCell)
{
  const TextTable table = table_of({{"id"}, {"framework"}, {"title"}},
                                   {{"a", "pytorch", "First"}, {"long-id", "tfjs", "Second one"}});
  EXPECT_EQ(table.print(k_plain),
            "id       framework  title\n"
            "a        pytorch    First\n"
            "long-id  tfjs       Second one\n");
}

TEST(TextTable, NumbersLineUpOnTheRight)
{
  const TextTable table = table_of({{"type"}, {"n", Align::right}, {"share", Align::right}},
                                   {{"model", "7", "0.5"}, {"training", "12", "12.25"}});
  EXPECT_EQ(table.print(k_plain),
            "type       n  share\n"
            "model      7    0.5\n"
            "training  12  12.25\n");
}

TEST(TextTable, WithoutRowsItIsItsHeader)
{
  const TextTable table({{"id"}, {"title"}});
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.print(k_plain), "id  title\n");
}

TEST(TextTable, TheLastColumnGivesWay)
{
  const TextTable table = table_of({{"id"}, {"title"}}, {{"abc", "A title that is far too long"}});
  EXPECT_EQ(table.print(k_plain, 25),
            "id   title\n"
            "abc  A title that is far…\n");
  EXPECT_EQ(table.print(k_plain, 33),
            "id   title\n"
            "abc  A title that is far too long\n");
}

TEST(TextTable, TheLastColumnStaysReadableHoweverNarrowTheTerminal)
{
  const TextTable table = table_of({{"id"}, {"title"}}, {{"abc", "A title that is far too long"}});
  EXPECT_EQ(table.print(k_plain, 5),
            "id   title\n"
            "abc  A title that is…\n");
}

TEST(TextTable, CutsBetweenLettersAndNotInsideThem)
{
  const TextTable table = table_of({{"id"}, {"title"}}, {{"a", "éééééééééééééééééééé"}});
  EXPECT_EQ(table.print(k_plain, 19),
            "id  title\n"
            "a   ééééééééééééééé…\n");
}

TEST(TextTable, PadsByColumnsAndNotByBytes)
{
  const TextTable table = table_of({{"name"}, {"x"}}, {{"café", "1"}, {"plain", "2"}});
  EXPECT_EQ(table.print(k_plain),
            "name   x\n"
            "café   1\n"
            "plain  2\n");
}

TEST(TextTable, PaintsHeadersBoldAndColumnsInTheirColour)
{
  const TextTable table = table_of({{"id", Align::left, Colour::cyan}, {"t"}}, {{"abc", "x"}});
  EXPECT_EQ(table.print(Painter(true)),
            "\x1b[1mid \x1b[0m  \x1b[1mt\x1b[0m\n"
            "\x1b[36mabc\x1b[0m  x\n");
}

TEST(Bar, GrowsInEighthsOfACell)
{
  EXPECT_EQ(bar(0, 4), "");
  EXPECT_EQ(bar(0.5, 4), "██");
  EXPECT_EQ(bar(1, 4), "████");
  EXPECT_EQ(bar(1.0 / 32, 4), "▏");
  EXPECT_EQ(bar(0.625, 4), "██▌");
  EXPECT_EQ(bar(31.0 / 32, 4), "███▉");
}

TEST(Bar, StaysBetweenNothingAndAll)
{
  EXPECT_EQ(bar(-1, 4), "");
  EXPECT_EQ(bar(2, 4), "████");
}

} // namespace faultline::report
