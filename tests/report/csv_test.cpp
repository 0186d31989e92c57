#include "report/csv.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace faultline::report {

namespace {

void check(const std::vector<std::string>& fields, const std::string& expected)
{
  EXPECT_EQ(csv_line(fields), expected);
}

} // namespace

TEST(Csv, SeparatesPlainFieldsWithCommas)
{
  check({"id", "pytorch-x", "0.5"}, "id,pytorch-x,0.5\n");
  check({"one"}, "one\n");
}

TEST(Csv, KeepsEmptyFields)
{
  check({"", "a", ""}, ",a,\n");
}

TEST(Csv, QuotesWhatWouldBeSyntax)
{
  check({"a,b", "c"}, "\"a,b\",c\n");
  check({"two\nlines"}, "\"two\nlines\"\n");
  check({"two\r\nlines"}, "\"two\r\nlines\"\n");
}

TEST(Csv, DoublesQuotesInsideQuotes)
{
  check({"say \"hi\""}, "\"say \"\"hi\"\"\"\n");
  check({"\""}, "\"\"\"\"\n");
}

TEST(Csv, LeavesSpacesAndOtherLettersAlone)
{
  check({" a b ", "é", "a;b", "it's"}, " a b ,é,a;b,it's\n");
}

} // namespace faultline::report
