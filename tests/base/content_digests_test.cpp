#include "base/content_digests.hpp"
#include "base/file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace faultline {

namespace fs = std::filesystem;

class ContentDigestsTest : public testing::Test {
protected:
  void SetUp() override
  {
    ASSERT_TRUE(m_place);
    ASSERT_TRUE(
        write_tree(m_folder, {{"detect.py", "print(1)\n"}, {"deep/er/table.csv", "1,2\n"}}));
  }

  Result<TempDir> m_place = TempDir::create();
  fs::path m_folder = m_place->path() / "tool";
  ContentDigests m_digests;
};

TEST_F(ContentDigestsTest, AFolderIsWhatLiesInItWhereverItIs)
{
  const std::string first = m_digests.of(m_folder);
  EXPECT_EQ(m_digests.of(m_folder), first);
  fs::rename(m_folder, m_place->path() / "elsewhere");
  EXPECT_EQ(m_digests.of(m_place->path() / "elsewhere"), first);
  EXPECT_NE(m_digests.of(m_folder), first) << "nothing is not what was there";
}

TEST_F(ContentDigestsTest, EveryChangeOfAFileCounts)
{
  std::string last = m_digests.of(m_folder);
  const auto changed = [&](const char* what) {
    const std::string now = m_digests.of(m_folder);
    EXPECT_NE(now, last) << what;
    last = now;
  };
  ASSERT_TRUE(write_file(m_folder / "deep/er/table.csv", "1,3\n"));
  changed("a content of the same length");
  ASSERT_TRUE(write_file(m_folder / ".hidden", "x"));
  changed("a hidden file");
  fs::rename(m_folder / "deep", m_folder / "deeper");
  changed("a name");
  fs::permissions(m_folder / "detect.py", fs::perms::owner_exec, fs::perm_options::add);
  changed("a permission to execute");
  fs::create_symlink("/usr/bin/env", m_folder / "link");
  changed("a link");
  fs::remove(m_folder / "link");
  fs::create_symlink("/usr/bin/../bin/env", m_folder / "link");
  changed("where a link leads");
  fs::create_directory(m_folder / "empty");
  changed("an empty folder");
  ASSERT_TRUE(write_file(m_folder / "__pycache__/detect.pyc", "x"));
  ASSERT_TRUE(write_file(m_folder / ".git/index", "x"));
  EXPECT_EQ(m_digests.of(m_folder), last);
}

// Writes into the file that is there, so that neither its inode nor its length tells, and puts its
// times back.
static void edit_in_secret(const fs::path& file, const std::string& content)
{
  struct stat before = {};
  ASSERT_EQ(stat(file.c_str(), &before), 0);
  const int fd = open(file.c_str(), O_WRONLY);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(pwrite(fd, content.data(), content.size(), 0), static_cast<ssize_t>(content.size()));
  const timespec times[] = {before.st_atim, before.st_mtim};
  ASSERT_EQ(futimens(fd, times), 0);
  close(fd);
}

TEST_F(ContentDigestsTest, AnEditThatPutsTheTimeBackCounts)
{
  const fs::path file = m_folder / "detect.py";
  std::string last = m_digests.of(file);
  for (const char* content : {"print(2)\n", "print(3)\n", "print(4)\n"}) { // within one tick
    edit_in_secret(file, content);
    const std::string now = m_digests.of(file);
    EXPECT_NE(now, last) << content;
    last = now;
  }
}

TEST_F(ContentDigestsTest, WhatIsNoFileIsNotWaitedFor)
{
  ASSERT_EQ(mkfifo((m_folder / "pipe").c_str(), 0600), 0);
  fs::create_directory_symlink(m_folder, m_folder / "round");
  EXPECT_EQ(m_digests.of(m_folder).size(), 64U);
  EXPECT_EQ(m_digests.of(m_folder / "pipe"), "no file");
}

} // namespace faultline
