#include "base/csv_table.hpp"

#include <gtest/gtest.h>

namespace faultline {

TEST(CsvTable, ReadsQuotesAndLineFeedsInsideOfThem)
{
  const Result<CsvTable> table = CsvTable::parse("a,b\r\n1,\"x, \"\"y\"\"\nz\"\r\n,2\n", "t.csv");
  ASSERT_TRUE(table);
  ASSERT_TRUE(table->require({"a", "b"}));
  ASSERT_EQ(table->size(), 2U);
  EXPECT_EQ(table->at(0, "b"), "x, \"y\"\nz");
  EXPECT_EQ(table->at(1, "a"), "");
  EXPECT_EQ(table->at(1, "b"), "2");
  EXPECT_EQ(table->place(1), "t.csv:4");
}

TEST(CsvTable, SkipsAByteOrderMark)
{
  const Result<CsvTable> table = CsvTable::parse("\xEF\xBB\xBF"
                                                 "a,b\r\n1,2\r\n",
                                                 "t.csv");
  ASSERT_TRUE(table);
  ASSERT_TRUE(table->require({"a", "b"}));
  EXPECT_EQ(table->at(0, "a"), "1");
  EXPECT_EQ(CsvTable::parse("\xEF\xBB\xBF", "t.csv").error().line(), "t.csv has no header line");
}

TEST(CsvTable, SaysWhatIsWrong)
{
  const auto error = [](std::string_view text) {
    return CsvTable::parse(text, "t.csv").error().line();
  };
  EXPECT_EQ(error(""), "t.csv has no header line");
  EXPECT_EQ(error("a,b\n1\n"), "t.csv:2: 1 field, but the header has 2");
  EXPECT_EQ(error("a\n\"x\n"), "t.csv:2: a quoted field has no end");
  EXPECT_EQ(CsvTable::parse("a\n", "t.csv")->require({"a", "b"}).error().line(),
            "t.csv has no column `b`");
}

} // namespace faultline
