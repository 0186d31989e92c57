#include "source/patch.hpp"

#include <gtest/gtest.h>

#include <array>

namespace faultline::source {

namespace {

const FileTree k_base = {{"data.py", "load()\n"},
                         {"train.py",
                          "import torch\n"
                          "net = Net()\n"
                          "for x, y in data:\n"
                          "    loss = f(net(x), y)\n"
                          "    loss.backward()\n"
                          "    optimizer.step()\n"
                          "print(loss)"}};

Patch parsed(std::string_view text)
{
  Result<Patch> patch = parse_patch(text, "fix.patch");
  EXPECT_TRUE(patch) << patch.error().line();
  return patch ? *std::move(patch) : Patch();
}

Patch patch_of_train(std::string_view hunks)
{
  return parsed("--- a/train.py\n+++ b/train.py\n" + std::string(hunks));
}

void check_error(const Patch& patch, const std::string& message)
{
  const Result<FileTree> result = apply_patch(patch, k_base);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().line(), message);
}

TreeEdits edits_in(const Patch& patch)
{
  Result<TreeEdits> edits = edits_of(patch, k_base);
  EXPECT_TRUE(edits) << edits.error().line();
  return edits ? *std::move(edits) : TreeEdits();
}

FileTree applied(const Patch& patch, const FileTree& base = k_base)
{
  Result<FileTree> tree = apply_patch(patch, base);
  EXPECT_TRUE(tree) << tree.error().line();
  return tree ? *std::move(tree) : FileTree();
}

// Two fixes of neighbouring lines, each with the other's line in its context.
const Patch k_zero_grad = patch_of_train("@@ -3,3 +3,4 @@\n"
                                         " for x, y in data:\n"
                                         "+    optimizer.zero_grad()\n"
                                         "     loss = f(net(x), y)\n"
                                         "     loss.backward()\n");
const Patch k_logits = patch_of_train("@@ -3,3 +3,3 @@\n"
                                      " for x, y in data:\n"
                                      "-    loss = f(net(x), y)\n"
                                      "+    loss = f(net(x).log(), y)\n"
                                      "     loss.backward()\n");

} // namespace

TEST(Patch, ChangesOnlyTheChangedLines)
{
  const std::vector<Edit> insertion = {{43, 43, "    optimizer.zero_grad()\n"}};
  EXPECT_EQ(edits_in(k_zero_grad), (TreeEdits{{"train.py", insertion}}));
  const std::vector<Edit> replacement = {{43, 67, "    loss = f(net(x).log(), y)\n"}};
  EXPECT_EQ(edits_in(k_logits), (TreeEdits{{"train.py", replacement}}));
}

TEST(Patch, MergesWithAPatchOfNeighbouringLines)
{
  const std::array parts = {edits_in(k_logits), edits_in(k_zero_grad)};
  const Result<TreeEdits> merged = merge(parts, k_base);
  ASSERT_TRUE(merged) << merged.error().line();
  EXPECT_EQ(apply_edits(k_base, *merged)->at("train.py"),
            "import torch\n"
            "net = Net()\n"
            "for x, y in data:\n"
            "    optimizer.zero_grad()\n"
            "    loss = f(net(x).log(), y)\n"
            "    loss.backward()\n"
            "    optimizer.step()\n"
            "print(loss)");
}

TEST(Patch, ConflictsWithAPatchOfTheSameLine)
{
  const std::array parts = {edits_in(k_logits), edits_in(k_logits)};
  const Result<TreeEdits> merged = merge(parts, k_base);
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().line(), "train.py:4: parts 1 and 2 change the same text");
}

TEST(Patch, CreatesAndRemovesFiles)
{
  const Patch patch = parsed("--- /dev/null\n+++ b/net.py\n@@ -0,0 +1 @@\n+net\n"
                             "--- a/data.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-load()\n");
  const FileTree tree = applied(patch);
  EXPECT_EQ(tree, (FileTree{{"net.py", "net\n"}, {"train.py", k_base.at("train.py")}}));
  EXPECT_EQ(applied(reverse(patch), tree), k_base);
}

TEST(Patch, AddsAndTakesAwayTheLastLineFeed)
{
  const Patch patch = patch_of_train("@@ -7 +7 @@\n"
                                     "-print(loss)\n"
                                     "\\ No newline at end of file\n"
                                     "+print(loss)\n");
  const FileTree tree = applied(patch);
  EXPECT_EQ(tree.at("train.py"), k_base.at("train.py") + "\n");
  EXPECT_EQ(applied(reverse(patch), tree), k_base);
}

TEST(Patch, JoinsHunksThatTouch)
{
  const Patch patch = patch_of_train("@@ -1 +1 @@\n-import torch\n+import jax\n"
                                     "@@ -2 +2 @@\n-net = Net()\n+net = make()\n");
  EXPECT_EQ(edits_in(patch),
            (TreeEdits{{"train.py", std::vector<Edit>{{0, 25, "import jax\nnet = make()\n"}}}}));
}

TEST(Patch, DoesNotBelieveTheNewLineNumbers)
{
  const std::string_view body = "\n-net = Net()\n+net = make()\n";
  EXPECT_EQ(patch_of_train("@@ -2 +200 @@" + std::string(body)),
            patch_of_train("@@ -2 +2 @@" + std::string(body)));
}

TEST(Patch, RefusesAHunkWhoseContextMoved)
{
  check_error(patch_of_train("@@ -2,2 +2,2 @@\n import torch\n-net = Net()\n+net = make()\n"),
              "fix.patch:4: hunk does not apply: train.py:2 is \"net = Net()\", "
              "the patch expects \"import torch\"");
}

TEST(Patch, RefusesAHunkWhoseContextDiffersInALineFeed)
{
  check_error(
      patch_of_train("@@ -6,2 +6,2 @@\n-    optimizer.step()\n+    step()\n print(loss)\n"),
      "fix.patch:6: hunk does not apply: train.py:7 is \"print(loss)\" without a line feed, "
      "the patch expects \"print(loss)\"");
  check_error(patch_of_train("@@ -1 +1 @@\n-import torch\r\n+import jax\r\n"),
              "fix.patch:4: hunk does not apply: train.py:1 is \"import torch\", "
              "the patch expects \"import torch\\r\"");
}

TEST(Patch, CutsLongLinesInMessages)
{
  check_error(patch_of_train("@@ -1 +1 @@\n-" + std::string(81, 'x') + "\n+y\n"),
              "fix.patch:4: hunk does not apply: train.py:1 is \"import torch\", "
              "the patch expects \"" +
                  std::string(80, 'x') + "…\"");
}

TEST(Patch, RefusesAHunkBehindTheEnd)
{
  check_error(patch_of_train("@@ -8 +8 @@\n-x\n+y\n"),
              "fix.patch:4: hunk does not apply: train.py has 7 lines, "
              "the patch expects \"x\" in line 8");
  check_error(
      patch_of_train("@@ -9,0 +10 @@\n+y\n"),
      "fix.patch:3: hunk does not apply: train.py has 7 lines, the hunk begins after line 9");
}

TEST(Patch, RefusesToGlueLinesTogether)
{
  check_error(patch_of_train("@@ -7,0 +8 @@\n+exit()\n"),
              "fix.patch:3: hunk does not apply: the last line of train.py has no line feed");
  check_error(
      patch_of_train("@@ -1 +1 @@\n-import torch\n+import jax\n\\ No newline at end of file\n"),
      "fix.patch:5: hunk does not apply: train.py:2 follows a line without a line feed");
}

TEST(Patch, RefusesFilesThatAreNotAsItExpects)
{
  check_error(parsed("--- a/tran.py\n+++ b/tran.py\n@@ -1 +1 @@\n-x\n+y\n"),
              "fix.patch:1: tran.py does not exist, did you mean `train.py`?");
  check_error(parsed("--- /dev/null\n+++ b/data.py\n@@ -0,0 +1 @@\n+x\n"),
              "fix.patch:1: data.py exists already");
  check_error(parsed("--- a/train.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-import torch\n"),
              "fix.patch:1: train.py has 7 lines, the patch removes a file of 1");
}

TEST(Patch, HasNoPlaceInMessagesIfItWasNotRead)
{
  check_error({"", {{"train.py", FileAction::change, {{0, {{LineKind::removed, "x\n"}}}}}}},
              "hunk does not apply: train.py:1 is \"import torch\", the patch expects \"x\"");
}

TEST(Patch, NamesTheRightLineWhenReversed)
{
  check_error(reverse(k_logits),
              "fix.patch:6: hunk does not apply: train.py:4 is \"    loss = f(net(x), y)\", "
              "the patch expects \"    loss = f(net(x).log(), y)\"");
}

TEST(Patch, IsPrintedAsGitDoes)
{
  const FileTree after = {{"a b.py", "x\n"}, {"train.py", applied(k_logits).at("train.py") + "\n"}};
  EXPECT_EQ(print_patch(make_patch(k_base, after, 1)),
            "diff --git a/a b.py b/a b.py\n"
            "new file mode 100644\n"
            "--- /dev/null\n"
            "+++ b/a b.py\t\n"
            "@@ -0,0 +1 @@\n"
            "+x\n"
            "diff --git a/data.py b/data.py\n"
            "deleted file mode 100644\n"
            "--- a/data.py\n"
            "+++ /dev/null\n"
            "@@ -1 +0,0 @@\n"
            "-load()\n"
            "diff --git a/train.py b/train.py\n"
            "--- a/train.py\n"
            "+++ b/train.py\n"
            "@@ -3,5 +3,5 @@\n"
            " for x, y in data:\n"
            "-    loss = f(net(x), y)\n"
            "+    loss = f(net(x).log(), y)\n"
            "     loss.backward()\n"
            "     optimizer.step()\n"
            "-print(loss)\n"
            "\\ No newline at end of file\n"
            "+print(loss)\n");
}

TEST(Patch, OfTheSameTreesIsEmpty)
{
  EXPECT_TRUE(make_patch(k_base, k_base).files.empty());
  EXPECT_EQ(print_patch({}), "");
}

TEST(Patch, OfEmptyFilesNeedsNoHunks)
{
  const FileTree before = {{"gone", ""}};
  const FileTree after = {{"new", ""}};
  const Patch patch = make_patch(before, after);
  EXPECT_EQ(print_patch(patch),
            "diff --git a/gone b/gone\ndeleted file mode 100644\n"
            "diff --git a/new b/new\nnew file mode 100644\n");
  EXPECT_EQ(applied(parsed(print_patch(patch)), before), after);
}

TEST(Patch, SplitsDistantChangesIntoHunks)
{
  const FileTree before = {{"f", "1\n2\n3\n4\n5\n6\n7\n"}};
  const FileTree after = {{"f", "x\n2\n3\n4\n5\n6\ny\n"}};
  EXPECT_EQ(make_patch(before, after, 0).files[0].hunks.size(), 2U);
  EXPECT_EQ(make_patch(before, after, 2).files[0].hunks.size(), 2U);
  EXPECT_EQ(make_patch(before, after, 3).files[0].hunks.size(), 1U);
  EXPECT_EQ(make_patch(before, after, SIZE_MAX).files[0].hunks.size(), 1U);
}

} // namespace faultline::source
