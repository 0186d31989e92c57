#include "source/patch_path.hpp"

#include <gtest/gtest.h>

namespace faultline::source {

namespace {

void check_quoting(const std::string& path, const std::string& quoted)
{
  EXPECT_EQ(quote_path(path), quoted);
  std::string_view rest = quoted;
  EXPECT_EQ(take_path(rest), path);
  EXPECT_EQ(rest, "");
}

std::optional<std::string> taken(std::string_view header)
{
  return take_path(header);
}

} // namespace

TEST(PatchPath, IsQuotedOnlyWhereItMustBe)
{
  check_quoting("src/train.py", "src/train.py");
  check_quoting("my file.py", "my file.py");
  check_quoting("é.py", "é.py");
  check_quoting("a\"b\\c", R"("a\"b\\c")");
  check_quoting("tab\tfeed\n\x01", R"("tab\tfeed\n\001")");
}

TEST(PatchPath, UnderstandsTheOctalBytesOfGit)
{
  EXPECT_EQ(taken(R"("\303\251.py")"), "é.py");
}

TEST(PatchPath, RefusesABrokenQuotedName)
{
  EXPECT_EQ(taken(R"("a)"), std::nullopt);
  EXPECT_EQ(taken(R"("a\)"), std::nullopt);
  EXPECT_EQ(taken(R"("\q")"), std::nullopt);
  EXPECT_EQ(taken(R"("\777")"), std::nullopt);
}

TEST(PatchPath, EndsAtATab)
{
  EXPECT_EQ(taken("train.py\t2020-01-01 00:00:00"), "train.py");
}

TEST(PatchPath, LosesAPrefixInWhichTheTwoNamesDiffer)
{
  EXPECT_EQ(common_path("a/x.py", "b/x.py"), "x.py");
  EXPECT_EQ(common_path("old/src/x.py", "new/src/x.py"), "src/x.py");
  EXPECT_EQ(common_path("x.py", "x.py"), "x.py");
  EXPECT_EQ(common_path("a/x.py", "a/x.py"), "a/x.py");
  EXPECT_EQ(common_path("a/x.py", "b/y.py"), std::nullopt);
  EXPECT_EQ(common_path("x.py.orig", "x.py"), std::nullopt);
}

TEST(PatchPath, IsFoundInAGitHeader)
{
  EXPECT_EQ(path_of_git_header("a/x.py b/x.py"), "x.py");
  EXPECT_EQ(path_of_git_header("x.py x.py"), "x.py");
  EXPECT_EQ(path_of_git_header("a/my file.py b/my file.py"), "my file.py");
  EXPECT_EQ(path_of_git_header("a/x b/x b/x b/x"), "x b/x");
  EXPECT_EQ(path_of_git_header("old/x.py newer/x.py"), "x.py");
  EXPECT_EQ(path_of_git_header(R"("a/\n" "b/\n")"), "\n");
  EXPECT_EQ(path_of_git_header("a/x.py b/y.py"), std::nullopt);
  EXPECT_EQ(path_of_git_header(""), std::nullopt);
}

} // namespace faultline::source
