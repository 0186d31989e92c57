#include "check/ignore_patterns.hpp"

#include <gtest/gtest.h>

namespace faultline::check {

namespace {

void check_glob(std::string_view glob, std::string_view path, bool expected)
{
  EXPECT_EQ(glob_matches(glob, path), expected) << glob << " on " << path;
}

void check(std::string_view lines, std::string_view path, bool expected)
{
  EXPECT_EQ(IgnorePatterns(lines).covers(path), expected) << lines << " on " << path;
}

} // namespace

TEST(Glob, AStarStaysWithinAName)
{
  check_glob("*.py", "a.py", true);
  check_glob("*.py", "a/b.py", false);
  check_glob("a*c", "abbbc", true);
  check_glob("a*c", "abbb", false);
  check_glob("a*b*c", "aXbYbZc", true);
  check_glob("?.py", "a.py", true);
  check_glob("?.py", "ab.py", false);
  check_glob("*", "", true);
}

TEST(Glob, TwoStarsCrossFolders)
{
  check_glob("**/a", "a", true);
  check_glob("**/a", "x/y/a", true);
  check_glob("**/a", "x/ya", false);
  check_glob("a/**", "a/b/c", true);
  check_glob("a/**", "a", false);
  check_glob("a/**/b", "a/b", true);
  check_glob("a/**/b", "a/x/y/b", true);
  check_glob("a/**/b", "a/x/yb", false);
  check_glob("a/**/*.py", "a/x/y/z.py", true);
  check_glob("**/x/**/y", "a/x/b/c/y", true);
}

TEST(Glob, SetsAndEscapes)
{
  check_glob("[abc].py", "b.py", true);
  check_glob("[a-c].py", "d.py", false);
  check_glob("[!a-c].py", "d.py", true);
  check_glob("[]a].py", "].py", true);
  check_glob("[", "[", true);
  check_glob("\\*", "*", true);
  check_glob("\\*", "a", false);
}

TEST(Glob, ManyStarsTakeNoLongTime)
{
  const std::string name(2000, 'a');
  std::string glob;
  for (int i = 0; i < 200; ++i) {
    glob += "*a";
  }
  check_glob(glob + "b", name, false);
}

TEST(IgnorePatterns, ANameMatchesAtAnyDepth)
{
  check("out", "out", true);
  check("out", "a/out", true);
  check("out", "a/out/b.py", true);
  check("*.gen.py", "a/b.gen.py", true);
}

TEST(IgnorePatterns, ASlashTiesToTheFolder)
{
  check("/out", "out/a.py", true);
  check("/out", "a/out/b.py", false);
  check("a/out", "a/out/b.py", true);
  check("a/out", "x/a/out/b.py", false);
}

TEST(IgnorePatterns, AFinalSlashMeansFolders)
{
  check("out/", "out/a.py", true);
  check("out/", "out", false);
}

TEST(IgnorePatterns, TheLastPatternDecides)
{
  check("*.py\n!keep.py\n", "a.py", true);
  check("*.py\n!keep.py\n", "keep.py", false);
  check("!keep.py\n*.py\n", "keep.py", true);
  check("out/\n!out/keep.py\n", "out/keep.py", true);
}

TEST(IgnorePatterns, CommentsAndSpacesAreNoPatterns)
{
  check("# a.py\n\n  \n", "a.py", false);
  check("a.py   \r\n", "a.py", true);
  check("\\#x", "#x", true);
  EXPECT_TRUE(IgnorePatterns("# only words\n").empty());
}

} // namespace faultline::check
