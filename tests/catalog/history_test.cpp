#include "catalog/history.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::catalog {

namespace fs = std::filesystem;

namespace {

const std::vector<Branch> k_branches = {
    {"buggy", "x: buggy version", {{"program/train.py", "x = 1\n"}, {"test.py", "ok\n"}}},
    {"fixed", "x: fixed version", {{"program/train.py", "x = 2\n"}, {"test.py", "ok\n"}}},
};

// A folder with the history of `branches`.
TempDir written(const std::vector<Branch>& branches, const std::string& current)
{
  Result<TempDir> folder = TempDir::create();
  EXPECT_TRUE(folder);
  const Result<void> done = write_history(folder->path(), branches, current);
  EXPECT_TRUE(done) << done.error().line();
  return *std::move(folder);
}

std::string head_of(const TempDir& folder, const std::string& branch)
{
  const Result<std::string> id = read_file(folder.path() / ".git/refs/heads" / branch);
  EXPECT_TRUE(id) << id.error().line();
  return id ? *id : "";
}

} // namespace

// The ids that git 2.39 gives to these trees with `git commit-tree`, author and committer
// `Faultline <faultline@localhost>`, 2020-01-01 00:00 UTC and a minute later.
TEST(History, HasTheCommitsThatGitWouldMake)
{
  const TempDir folder = written(k_branches, "buggy");
  EXPECT_EQ(head_of(folder, "buggy"), "ad50fc934f0ab76697006e0409c8a41cad388269\n");
  EXPECT_EQ(head_of(folder, "fixed"), "c40f4388816b1ec65f8c32f060720ccad27f7e8a\n");
}

TEST(History, IsTheSameEachTime)
{
  const TempDir first = written(k_branches, "buggy");
  const TempDir second = written(k_branches, "fixed");
  EXPECT_EQ(head_of(first, "buggy"), head_of(second, "buggy"));
  EXPECT_EQ(head_of(first, "fixed"), head_of(second, "fixed"));
}

TEST(History, DependsOnWhatIsInIt)
{
  std::vector<Branch> branches = k_branches;
  branches[1].files["test.py"] = "other\n";
  const TempDir first = written(k_branches, "buggy");
  const TempDir second = written(branches, "buggy");
  EXPECT_EQ(head_of(first, "buggy"), head_of(second, "buggy"));
  EXPECT_NE(head_of(first, "fixed"), head_of(second, "fixed"));
}

TEST(History, TheCurrentBranchIsCheckedOut)
{
  for (const Branch& branch : k_branches) {
    const TempDir folder = written(k_branches, branch.name);
    EXPECT_EQ(*read_file(folder.path() / ".git/HEAD"), "ref: refs/heads/" + branch.name + "\n");
    EXPECT_EQ(*read_tree(folder.path()), branch.files);
  }
}

TEST(History, HasOnlyTheBranchesAskedFor)
{
  const TempDir folder = written(k_branches, "buggy");
  std::vector<std::string> names;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(folder.path() / ".git/refs/heads")) {
    names.push_back(entry.path().filename().string());
  }
  EXPECT_THAT(names, testing::UnorderedElementsAre("buggy", "fixed"));
}

TEST(History, LinksToThisMachineAreNotPartOfIt)
{
  const TempDir folder = written(k_branches, "buggy");
  EXPECT_EQ(*read_file(folder.path() / ".git/info/exclude"),
            "/node_modules\n/program/data\n__pycache__/\n");
}

TEST(History, FilesThatLieThereAlreadyBecomeThoseOfTheBranch)
{
  Result<TempDir> folder = TempDir::create();
  ASSERT_TRUE(folder);
  ASSERT_TRUE(write_tree(folder->path(), {{"test.py", "stale\n"}, {"mine.txt", "keep\n"}}));
  ASSERT_TRUE(write_history(folder->path(), k_branches, "fixed"));
  EXPECT_EQ(*read_file(folder->path() / "test.py"), "ok\n");
  EXPECT_EQ(*read_file(folder->path() / "mine.txt"), "keep\n");
}

} // namespace faultline::catalog
