#include "source/patch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::source {

namespace {

Patch parsed(std::string_view text)
{
  Result<Patch> patch = parse_patch(text, "fix.patch");
  EXPECT_TRUE(patch) << patch.error().line();
  return patch ? *std::move(patch) : Patch();
}

void check_error(std::string_view text, const std::string& message)
{
  const Result<Patch> patch = parse_patch(text, "fix.patch");
  ASSERT_FALSE(patch) << text;
  EXPECT_EQ(patch.error().line(), "fix.patch:" + message);
}

std::vector<std::string> paths_of(const Patch& patch)
{
  std::vector<std::string> paths;
  for (const FilePatch& file : patch.files) {
    paths.push_back(file.path);
  }
  return paths;
}

constexpr std::string_view k_names = "--- a/train.py\n+++ b/train.py\n";

std::string with_names(std::string_view hunks)
{
  return std::string(k_names) + std::string(hunks);
}

} // namespace

TEST(PatchParse, ReadsAGitPatch)
{
  const Patch patch = parsed("diff --git a/train.py b/train.py\n"
                             "index 83db48f..bf269f4 100644\n"
                             "--- a/train.py\n"
                             "+++ b/train.py\n"
                             "@@ -2,3 +2,4 @@ def main():\n"
                             " for x, y in data:\n"
                             "-    step()\n"
                             "+    zero_grad()\n"
                             "+    step()\n"
                             " save()\n");
  const std::vector<PatchLine> lines = {{LineKind::kept, "for x, y in data:\n"},
                                        {LineKind::removed, "    step()\n"},
                                        {LineKind::added, "    zero_grad()\n"},
                                        {LineKind::added, "    step()\n"},
                                        {LineKind::kept, "save()\n"}};
  const Hunk hunk{.old_begin = 1, .lines = lines, .section = " def main():"};
  EXPECT_EQ(patch, (Patch{"", {{"train.py", FileAction::change, {hunk}}}}));
  EXPECT_EQ(patch.name, "fix.patch");
  EXPECT_EQ(patch.files[0].patch_line, 1U);
  EXPECT_EQ(patch.files[0].hunks[0].patch_line, 5U);
  EXPECT_EQ(patch.files[0].hunks[0].lines[4].patch_line, 10U);
}

TEST(PatchParse, ReadsAPlainPatchWithDates)
{
  const Patch patch = parsed("diff -ru old/src/a.py new/src/a.py\n"
                             "--- old/src/a.py\t2020-01-01 00:00:00.0 +0100\n"
                             "+++ new/src/a.py\t2020-01-02 00:00:00.0 +0100\n"
                             "@@ -3 +3 @@\n"
                             "-x\n"
                             "+y\n");
  EXPECT_THAT(paths_of(patch), testing::ElementsAre("src/a.py"));
  EXPECT_EQ(patch.files[0].hunks[0].old_begin, 2U);
}

TEST(PatchParse, ReadsAMailOfSeveralFiles)
{
  const Patch patch = parsed("From 0123 Mon Sep 17 00:00:00 2001\n"
                             "Subject: [PATCH] Fix the loss\n"
                             "\n"
                             "- a list in the message\n"
                             "---\n"
                             " a.py | 2 +-\n"
                             "\n"
                             "diff --git a/a.py b/a.py\n"
                             "--- a/a.py\n"
                             "+++ b/a.py\n"
                             "@@ -1 +1 @@\n"
                             "--- old comment\n"
                             "+++ new comment\n"
                             "--- b.py\n"
                             "+++ b.py\n"
                             "@@ -1 +0,0 @@\n"
                             "-x\n"
                             "-- \n"
                             "2.39.2\n"
                             "\n");
  EXPECT_THAT(paths_of(patch), testing::ElementsAre("a.py", "b.py"));
  EXPECT_EQ(patch.files[0].hunks[0].lines[0].text, "-- old comment\n");
}

TEST(PatchParse, ReadsFilesThatComeAndGo)
{
  const Patch patch = parsed("--- /dev/null\n"
                             "+++ b/new.py\n"
                             "@@ -0,0 +1,2 @@\n"
                             "+x\n"
                             "+y\n"
                             "--- a/old.py\n"
                             "+++ /dev/null\t1970-01-01\n"
                             "@@ -1 +0,0 @@\n"
                             "-x\n"
                             "diff --git a/empty file b/empty file\n"
                             "new file mode 100644\n"
                             "index 0000000..e69de29\n"
                             "diff --git a/gone.py b/gone.py\n"
                             "deleted file mode 100755\n"
                             "diff --git a/run.sh b/run.sh\n"
                             "old mode 100644\n"
                             "new mode 100755\n");
  const Patch expected{
      "",
      {{"new.py", FileAction::create, {{0, {{LineKind::added, "x\n"}, {LineKind::added, "y\n"}}}}},
       {"old.py", FileAction::remove, {{0, {{LineKind::removed, "x\n"}}}}},
       {"empty file", FileAction::create, {}},
       {"gone.py", FileAction::remove, {}}}};
  EXPECT_EQ(patch, expected);
}

TEST(PatchParse, KnowsALastLineWithoutLineFeed)
{
  const Patch patch = parsed(with_names("@@ -1,2 +1,2 @@\n"
                                        " x\n"
                                        "-y\n"
                                        "\\ No newline at end of file\n"
                                        "+y\n"));
  const std::vector<PatchLine> lines = {
      {LineKind::kept, "x\n"}, {LineKind::removed, "y"}, {LineKind::added, "y\n"}};
  EXPECT_EQ(patch.files[0].hunks[0].lines, lines);
}

TEST(PatchParse, KeepsWindowsLineEndsOfContent)
{
  const Patch patch =
      parsed("--- a/train.py\r\n+++ b/train.py\r\n@@ -1,2 +1,2 @@\r\n-x\r\n+y\r\n\r\n");
  const std::vector<PatchLine> lines = {
      {LineKind::removed, "x\r\n"}, {LineKind::added, "y\r\n"}, {LineKind::kept, "\r\n"}};
  EXPECT_EQ(patch.files[0].path, "train.py");
  EXPECT_EQ(patch.files[0].hunks[0].lines, lines);
}

TEST(PatchParse, TakesNoCarriageReturnForASection)
{
  const Patch patch = parsed(with_names("@@ -1 +1 @@ f\r\r\n-x\n+y\n"));
  EXPECT_EQ(patch.files[0].hunks[0].section, " f");
}

TEST(PatchParse, TakesAnEmptyLineForAnEmptyContextLine)
{
  const Patch patch = parsed(with_names("@@ -1,2 +1 @@\n\n-x\n"));
  EXPECT_EQ(patch.files[0].hunks[0].lines[0], (PatchLine{LineKind::kept, "\n"}));
}

TEST(PatchParse, DoesNotNeedALineFeedAtItsEnd)
{
  EXPECT_EQ(parsed(with_names("@@ -1 +1 @@\n-x\n+y")), parsed(with_names("@@ -1 +1 @@\n-x\n+y\n")));
}

TEST(PatchParse, TakesNothingForAPatchThatDoesNothing)
{
  EXPECT_TRUE(parsed("").files.empty());
  EXPECT_TRUE(parsed("\n\n").files.empty());
}

TEST(PatchParse, RefusesTextThatIsNoPatch)
{
  check_error("hello\n", "1: not a unified diff: there is no `--- a/file` line");
}

TEST(PatchParse, RefusesBrokenFileHeaders)
{
  check_error("--- a/x\n", "1: a `---` line without a `+++` line after it");
  check_error("+++ b/x\n", "1: a `+++` line without a `---` line before it");
  check_error("@@ -1 +1 @@\n", "1: a hunk without a file header before it");
  check_error("--- a/x\n+++ b/x\nhello\n", "2: no hunk follows the file header");
  check_error("--- a/x\n+++ b/x\n", "2: no hunk follows the file header");
  check_error("--- x.orig\n+++ x\n@@ -1 +1 @@\n-x\n+y\n",
              "2: the old and the new name differ: x.orig and x");
  check_error("--- /dev/null\n+++ /dev/null\n", "2: both names are /dev/null");
  check_error("--- \"a/x\n+++ b/x\n", "1: the quoted file name is broken");
  check_error("diff --git a/x b/x\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-x\n+y\n",
              "3: the names say y, the `diff --git` line says x");
  check_error("diff --git a/x b/y\nnew file mode 100644\n",
              "1: cannot tell the path in this `diff --git` line");
  check_error("diff --git a/x b/x\nnew file mode 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n+y\n",
              "1: the mode and the names of the file disagree");
  check_error("diff --git a/x b/x\nnew file mode 100644\ndeleted file mode 100644\n",
              "3: the file comes or goes twice");
}

TEST(PatchParse, RefusesWhatItCannotDo)
{
  const std::string git = "diff --git a/x b/y\n";
  check_error(git + "similarity index 90%\nrename from x\nrename to y\n",
              "3: renames and copies are not supported, remove one file and create another");
  check_error("diff --git a/x b/x\nnew file mode 120000\n",
              "2: only regular files are supported, no links");
  check_error("diff --git a/x b/x\nindex 1..2 100644\nGIT binary patch\n",
              "3: binary files are not supported");
  check_error("Binary files a/x and b/x differ\n", "1: binary files are not supported");
}

TEST(PatchParse, RefusesPathsThatLeaveTheTree)
{
  const std::string hunk = "@@ -1 +1 @@\n-x\n+y\n";
  check_error("--- a/../x\n+++ b/../x\n" + hunk, "1: path `../x` leaves the tree");
  check_error("--- /etc/passwd\n+++ /etc/passwd\n" + hunk, "1: path `/etc/passwd` leaves the tree");
  check_error("--- a/\n+++ b/\n" + hunk, "1: path `` leaves the tree");
  check_error("--- \"a/..\\n\"\n+++ \"b/..\\n/../x\"\n" + hunk,
              "2: the old and the new name differ: \"a/..\\n\" and \"b/..\\n/../x\"");
  check_error("--- a/x//y\n+++ b/x//y\n" + hunk, "1: path `x//y` leaves the tree");
}

TEST(PatchParse, RefusesAFileThatOccursTwice)
{
  const std::string file = with_names("@@ -1 +1 @@\n-x\n+y\n");
  check_error(file + file, "6: train.py occurs a second time");
}

TEST(PatchParse, RefusesBrokenHunkHeaders)
{
  for (const char* header : {"@@",
                             "@@ -1 @@",
                             "@@ -1 +x @@",
                             "@@ -1,2 +1,2",
                             "@@ -1, +1 @@",
                             "@@@ -1 -1 +1 @@@",
                             "@@ -99999999999999999999 +1 @@"}) {
    check_error(with_names(header + std::string("\n-x\n+y\n")),
                "3: a hunk header must look like `@@ -3,7 +3,8 @@`");
  }
  check_error(with_names("@@ -0 +1 @@\n-x\n+y\n"), "3: lines are counted from 1");
  check_error(with_names("@@ -1,0 +1,0 @@\n"), "3: a hunk without lines");
}

TEST(PatchParse, RefusesHunksWhoseCountsAreWrong)
{
  check_error(with_names("@@ -1,2 +1,2 @@\n x\n"),
              "5: the hunk of line 3 ends early, 1 old line and 1 new line are missing");
  check_error(with_names("@@ -1,3 +1 @@\n x\n@@ -9 +9 @@\n"),
              "5: the hunk of line 3 ends early, 2 old lines and 0 new lines are missing");
  check_error(with_names("@@ -1 +1,2 @@\n-x\n-y\n"),
              "5: the hunk of line 3 has more old lines than its header says");
  check_error(with_names("@@ -1,2 +1 @@\n+x\n+y\n"),
              "5: the hunk of line 3 has more new lines than its header says");
  check_error(with_names("@@ -1 +1 @@\n-x\n+y\n z\n"),
              "6: the hunk of line 3 has more lines than its header says");
  check_error(with_names("@@ -1 +1 @@\n-x\n+y\n-- z\n"),
              "6: the hunk of line 3 has more lines than its header says");
}

TEST(PatchParse, RefusesHunksThatOverlap)
{
  check_error(with_names("@@ -1,2 +1,2 @@\n x\n-y\n+z\n@@ -2 +2 @@\n-y\n+z\n"),
              "7: the hunk overlaps the one before it or is out of order");
}

TEST(PatchParse, RefusesLinesAfterTheEndOfTheFile)
{
  const std::string marker = "\\ No newline at end of file\n";
  check_error(with_names("@@ -1,2 +1 @@\n-x\n" + marker + "-y\n+z\n"),
              "6: a line follows one without a line feed");
  check_error(with_names("@@ -1 +1 @@\n-x\n+y\n" + marker + "@@ -9 +9 @@\n-x\n+y\n"),
              "9: a line follows one without a line feed");
  check_error(with_names("@@ -1 +1 @@\n-x\n+\n" + marker),
              "5: an empty line without a line feed is no line");
  check_error(with_names("@@ -1 +1 @@\n-x\n+y\n" + marker + marker),
              "7: the hunk of line 3 has more lines than its header says");
}

TEST(PatchParse, RefusesNewAndDeletedFilesInParts)
{
  check_error("--- /dev/null\n+++ b/x\n@@ -1 +1 @@\n-x\n+y\n",
              "3: a new file must be one hunk of added lines");
  check_error("--- /dev/null\n+++ b/x\n@@ -5,0 +1 @@\n+y\n",
              "3: a new file must be one hunk of added lines");
  check_error("--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n@@ -3 +0,0 @@\n-x\n",
              "5: a deleted file must be one hunk of removed lines");
}

} // namespace faultline::source
