#include "report/diff_text.hpp"

#include <gtest/gtest.h>

namespace faultline::report {

namespace {

constexpr std::string_view k_diff = "diff --git a/train.py b/train.py\n"
                                    "--- a/train.py\n"
                                    "+++ b/train.py\n"
                                    "@@ -1,3 +1,3 @@ def main():\n"
                                    " net = Net()\n"
                                    "-loss = f(softmax(x), y)\n"
                                    "+loss = f(x, y)\n"
                                    "\\ No newline at end of file\n";

} // namespace

TEST(DiffText, PaintsEachKindOfLine)
{
  EXPECT_EQ(paint_diff(k_diff, Painter(true)),
            "\x1b[1mdiff --git a/train.py b/train.py\x1b[0m\n"
            "\x1b[1m--- a/train.py\x1b[0m\n"
            "\x1b[1m+++ b/train.py\x1b[0m\n"
            "\x1b[36m@@ -1,3 +1,3 @@ def main():\x1b[0m\n"
            " net = Net()\n"
            "\x1b[31m-loss = f(softmax(x), y)\x1b[0m\n"
            "\x1b[32m+loss = f(x, y)\x1b[0m\n"
            "\\ No newline at end of file\n");
}

TEST(DiffText, WithoutColourItIsTheDiffItself)
{
  EXPECT_EQ(paint_diff(k_diff, Painter(false)), k_diff);
}

TEST(DiffText, PaintsRemovedAndAddedEmptyLines)
{
  EXPECT_EQ(paint_diff("-\n+\n", Painter(true)), "\x1b[31m-\x1b[0m\n\x1b[32m+\x1b[0m\n");
}

TEST(DiffText, ADiffOfNothingIsNothing)
{
  EXPECT_EQ(paint_diff("", Painter(true)), "");
}

} // namespace faultline::report
