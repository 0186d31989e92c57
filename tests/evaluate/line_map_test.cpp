#include "evaluate/line_map.hpp"

#include <gtest/gtest.h>

namespace faultline::evaluate {

TEST(LineMap, FollowsLinesThroughTheFix)
{
  // A line more at the top, c replaced by two lines, e removed.
  const LineMap lines({{"t.py", "a\nb\nc\nd\ne\nf\n"}}, {{"t.py", "new\na\nb\nC\nC2\nd\nf\n"}});
  EXPECT_EQ(lines.of("t.py", 1), (LineRange{2, 2}));
  EXPECT_EQ(lines.of("t.py", 2), (LineRange{3, 3}));
  EXPECT_EQ(lines.of("t.py", 3), (LineRange{4, 5}));
  EXPECT_EQ(lines.of("t.py", 4), (LineRange{6, 6}));
  EXPECT_EQ(lines.of("t.py", 5), std::nullopt);
  EXPECT_EQ(lines.of("t.py", 6), (LineRange{7, 7}));
}

TEST(LineMap, KnowsNothingOutsideOfTheProgram)
{
  const LineMap lines({{"t.py", "a\n"}, {"gone.py", "a\n"}}, {{"t.py", "a\n"}});
  EXPECT_EQ(lines.of("t.py", 0), std::nullopt);
  EXPECT_EQ(lines.of("t.py", 2), std::nullopt);
  EXPECT_EQ(lines.of("gone.py", 1), std::nullopt);
  EXPECT_EQ(lines.of("other.py", 1), std::nullopt);
}

} // namespace faultline::evaluate
