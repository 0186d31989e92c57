#include "source/edit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace faultline::source {

namespace {

constexpr std::string_view k_text = "one\ntwo\nthree\n";

void check(std::vector<Edit> edits, const std::string& expected)
{
  std::ranges::sort(edits, {}, &Edit::text);
  do {
    const Result<std::string> result = apply_edits(k_text, edits);
    ASSERT_TRUE(result) << result.error().line();
    EXPECT_EQ(*result, expected);
  } while (std::ranges::next_permutation(edits, {}, &Edit::text).found);
}

void check_error(std::vector<Edit> edits, const std::string& message)
{
  for (int i = 0; i < 2; ++i) {
    const Result<std::string> result = apply_edits(k_text, edits);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().line(), message);
    std::ranges::reverse(edits);
  }
}

TreeEdits changes(const std::string& path, std::vector<Edit> edits)
{
  return {{path, std::move(edits)}};
}

const FileTree k_base = {{"data.py", "load()\n"}, {"train.py", std::string(k_text)}};

void check_tree(const TreeEdits& edits, const FileTree& expected)
{
  const Result<FileTree> result = apply_edits(k_base, edits);
  ASSERT_TRUE(result) << result.error().line();
  EXPECT_EQ(*result, expected);
}

void check_tree_error(const TreeEdits& edits, const std::string& message)
{
  const Result<FileTree> result = apply_edits(k_base, edits);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().line(), message);
}

void check_merge_error(const std::vector<TreeEdits>& parts, const std::string& message)
{
  const Result<TreeEdits> merged = merge(parts, k_base);
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().line(), message);
}

} // namespace

TEST(Edit, ReplacesInsertsAndDeletes)
{
  check({}, "one\ntwo\nthree\n");
  check({{4, 7, "2"}}, "one\n2\nthree\n");
  check({{0, 0, "zero\n"}, {14, 14, "four\n"}}, "zero\none\ntwo\nthree\nfour\n");
  check({{0, 14, ""}}, "");
}

TEST(Edit, AppliesEditsInAnyOrder)
{
  check({{8, 13, "3"}, {0, 3, "1"}, {4, 7, "2"}}, "1\n2\n3\n");
}

TEST(Edit, LetsEditsTouch)
{
  check({{0, 4, "A"}, {4, 8, "B"}}, "ABthree\n");
  check({{0, 4, "A"}, {4, 4, "<"}, {4, 8, "B"}, {8, 8, ">"}}, "A<B>three\n");
}

TEST(Edit, RefusesOverlaps)
{
  check_error({{0, 5, "a"}, {4, 7, "b"}}, "line 2: two edits overlap");
  check_error({{0, 14, "a"}, {8, 9, "b"}}, "line 3: two edits overlap");
  check_error({{4, 7, "a"}, {4, 7, "a"}}, "line 2: two edits overlap");
  check_error({{4, 7, "a"}, {5, 5, "b"}}, "line 2: two edits overlap");
}

TEST(Edit, RefusesTwoInsertionsAtTheSamePlace)
{
  check_error({{4, 4, "a"}, {4, 4, "b"}}, "line 2: two edits insert at the same place");
}

TEST(Edit, RefusesRangesOutsideOfTheText)
{
  check_error({{10, 15, ""}}, "an edit of bytes 10..15 is outside of the text, which has 14");
  check_error({{5, 4, ""}}, "an edit of bytes 5..4 ends before it begins");
}

TEST(TreeEdits, ChangeCreateAndDeleteFiles)
{
  TreeEdits edits = changes("train.py", {{0, 3, "1"}});
  edits["new/model.py"] = CreateFile{"net\n"};
  edits["data.py"] = DeleteFile();
  check_tree(edits, {{"new/model.py", "net\n"}, {"train.py", "1\ntwo\nthree\n"}});
}

TEST(TreeEdits, LetAFileBecomeADirectory)
{
  check_tree({{"data.py", DeleteFile()}, {"data.py/a.py", CreateFile{"a"}}},
             {{"data.py/a.py", "a"}, {"train.py", std::string(k_text)}});
}

TEST(TreeEdits, RefuseWhatDoesNotFitTheTree)
{
  check_tree_error(changes("x.py", {}), "x.py does not exist");
  check_tree_error({{"x.py", DeleteFile()}}, "x.py does not exist");
  check_tree_error({{"data.py", CreateFile{}}}, "data.py exists already");
  check_tree_error({{"../x.py", CreateFile{}}}, "path `../x.py` leaves the tree");
  check_tree_error({{"data.py/x.py", CreateFile{}}},
                   "data.py/x.py cannot exist beside data.py, which is a file");
}

TEST(TreeEdits, NameTheFileOfABadEdit)
{
  check_tree_error(changes("train.py", {{0, 5, ""}, {4, 7, ""}}), "train.py:2: two edits overlap");
  check_tree_error(changes("train.py", {{10, 15, ""}}),
                   "train.py: an edit of bytes 10..15 is outside of the text, which has 14");
}

TEST(Merge, PutsPartsTogether)
{
  const std::vector<TreeEdits> parts = {changes("train.py", {{8, 13, "3"}}),
                                        {{"data.py", DeleteFile()}},
                                        changes("train.py", {{0, 3, "1"}, {8, 8, "2.5\n"}})};
  const Result<TreeEdits> merged = merge(parts, k_base);
  ASSERT_TRUE(merged) << merged.error().line();
  check_tree(*merged, {{"train.py", "1\ntwo\n2.5\n3\n"}});
}

TEST(Merge, OfNothingIsNothing)
{
  const Result<TreeEdits> merged = merge({}, k_base);
  ASSERT_TRUE(merged);
  EXPECT_TRUE(merged->empty());
}

TEST(Merge, NamesFileAndLineOfAConflict)
{
  const TreeEdits other = changes("data.py", {{0, 0, "#"}});
  check_merge_error({changes("train.py", {{8, 13, "3"}}), other, changes("train.py", {{4, 9, ""}})},
                    "train.py:3: parts 1 and 3 change the same text");
  check_merge_error({changes("train.py", {{4, 4, "a"}}), changes("train.py", {{4, 4, "a"}})},
                    "train.py:2: parts 1 and 2 insert at the same place");
}

TEST(Merge, RefusesPartsThatDisagreeAboutAFile)
{
  check_merge_error({changes("train.py", {{0, 0, "a"}}), {{"train.py", DeleteFile()}}},
                    "train.py: part 2 deletes the file, part 1 changes it");
  check_merge_error({{{"x.py", CreateFile{"a"}}}, {{"x.py", CreateFile{"a"}}}},
                    "x.py: part 1 creates the file, part 2 creates it");
}

// Any subset of compatible parts gives the same text as doing its edits in one go.
TEST(Merge, OfAnySubsetIsTheSameAsItsEdits)
{
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    std::string text(random() % 60, 'x');
    std::ranges::generate(text, [&] { return "ab\n"[random() % 3]; });
    std::vector<TreeEdits> parts(1 + random() % 4);
    std::vector<Edit> all;
    for (size_t at = 0; at < text.size(); at += 1 + random() % 9) {
      const size_t end = std::min(text.size(), at + random() % 4);
      if (!all.empty() && (all.back().end > at || all.back().begin == at)) {
        continue;
      }
      const Edit edit{at, end, std::string(random() % 3, 'N')};
      const uint64_t part = random() % (parts.size() + 1);
      if (part < parts.size()) {
        std::get<0>(parts[part]["f"]).push_back(edit);
        all.push_back(edit);
      }
    }
    const FileTree base = {{"f", text}};
    std::ranges::shuffle(parts, random);
    const Result<TreeEdits> merged = merge(parts, base);
    ASSERT_TRUE(merged) << merged.error().line();
    const Result<FileTree> result = apply_edits(base, *merged);
    ASSERT_TRUE(result) << result.error().line();
    EXPECT_EQ(result->at("f"), *apply_edits(text, all));
  }
}

} // namespace faultline::source
