#include "source/line_index.hpp"

#include <gtest/gtest.h>

namespace faultline::source {

namespace {

void check(std::string_view text, size_t byte, LineColumn expected)
{
  const LineColumn found = LineIndex(text).at(byte);
  EXPECT_EQ(found.line, expected.line) << text << " at " << byte;
  EXPECT_EQ(found.column, expected.column) << text << " at " << byte;
}

} // namespace

TEST(LineIndex, CountsLinesAndColumnsFromOne)
{
  check("", 0, {1, 1});
  check("ab\ncd\n", 0, {1, 1});
  check("ab\ncd\n", 1, {1, 2});
  check("ab\ncd\n", 2, {1, 3});
  check("ab\ncd\n", 3, {2, 1});
  check("ab\ncd\n", 6, {3, 1});
}

TEST(LineIndex, AnOffsetBehindTheEndIsTheEnd)
{
  check("ab", 99, {1, 3});
}

TEST(LineIndex, ColumnsAreCharactersNotBytes)
{
  check("é = 1", 2, {1, 2});
  check("# 数字\nx", 8, {1, 5});
}

TEST(LineIndex, FindsTheOffsetOfAPlace)
{
  const std::string_view text = "ab\n# 数字 x\n";
  const LineIndex index(text);
  for (size_t byte = 0; byte <= text.size(); ++byte) {
    if (byte == text.size() || (static_cast<unsigned char>(text[byte]) & 0xC0U) != 0x80U) {
      EXPECT_EQ(index.byte_of(index.at(byte)), byte);
    }
  }
  EXPECT_EQ(index.byte_of({1, 99}), 2U);
  EXPECT_EQ(index.byte_of({9, 1}), text.size());
}

TEST(LineIndex, GivesLinesWithoutTheirEnds)
{
  const LineIndex index("a\r\nb\n\nlast");
  EXPECT_EQ(index.line_count(), 4U);
  EXPECT_EQ(index.line(1), "a");
  EXPECT_EQ(index.line(2), "b");
  EXPECT_EQ(index.line(3), "");
  EXPECT_EQ(index.line(4), "last");
  EXPECT_EQ(index.line(5), "");
  EXPECT_EQ(index.line(0), "");
  EXPECT_EQ(index.line_begin(4), 6U);
}

} // namespace faultline::source
