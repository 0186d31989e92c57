#include "base/file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <thread>

namespace faultline {

namespace fs = std::filesystem;

namespace {

class File : public testing::Test {
protected:
  void SetUp() override
  {
    Result<TempDir> made = TempDir::create();
    ASSERT_TRUE(made) << made.error().line();
    m_folder.emplace(*std::move(made));
  }

  fs::path path(const std::string& name) const { return m_folder->path() / name; }

  void write(const std::string& name, std::string_view content) const
  {
    const Result<void> written = write_file(path(name), content);
    ASSERT_TRUE(written) << written.error().line();
  }

  std::vector<std::string> names() const
  {
    std::vector<std::string> all;
    for (const fs::directory_entry& entry : fs::directory_iterator(m_folder->path())) {
      all.push_back(entry.path().filename().string());
    }
    return all;
  }

private:
  std::optional<TempDir> m_folder;
};

template <typename T>
void check_error(const Result<T>& result, ErrorKind kind, const std::string& message)
{
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, kind);
  EXPECT_EQ(result.error().line(), message);
}

} // namespace

TEST_F(File, GivesBackEveryByteThatWasWritten)
{
  const std::string content("a\0b\r\n\xFF", 6);
  write("x", content);
  const Result<std::string> read = read_file(path("x"));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, content);
}

TEST_F(File, ReadsAnEmptyFile)
{
  write("x", "");
  const Result<std::string> read = read_file(path("x"));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, "");
}

TEST_F(File, SaysThatAFileToReadIsMissing)
{
  check_error(read_file(path("x")),
              ErrorKind::not_found,
              "cannot read " + path("x").string() + ": No such file or directory");
}

TEST_F(File, RefusesToReadADirectory)
{
  fs::create_directory(path("x"));
  check_error(read_file(path("x")),
              ErrorKind::io,
              "cannot read " + path("x").string() + ": it is a directory");
}

TEST_F(File, WritingMakesTheFoldersAboveTheFile)
{
  write("a/b/c", "deep");
  EXPECT_EQ(*read_file(path("a/b/c")), "deep");
}

TEST_F(File, WritingReplacesTheFileAndLeavesNothingElseBehind)
{
  write("x", "a much longer first content");
  write("x", "second");
  EXPECT_EQ(*read_file(path("x")), "second");
  EXPECT_THAT(names(), testing::ElementsAre("x"));
}

TEST_F(File, WritingReplacesALinkRatherThanWhatItPointsTo)
{
  write("target", "old");
  fs::create_symlink(path("target"), path("link"));
  write("link", "new");
  EXPECT_EQ(*read_file(path("target")), "old");
  EXPECT_FALSE(fs::is_symlink(path("link")));
}

TEST_F(File, OutputReplacesAFileAndMakesTheFoldersAboveIt)
{
  ASSERT_TRUE(write_output(path("a/out.json"), "old"));
  ASSERT_TRUE(write_output(path("a/out.json"), "new"));
  EXPECT_EQ(*read_file(path("a/out.json")), "new");
}

TEST_F(File, OutputGoesThroughALink)
{
  write("target", "a longer text");
  fs::create_symlink(path("target"), path("link"));
  ASSERT_TRUE(write_output(path("link"), "new"));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(*read_file(path("target")), "new");
}

TEST_F(File, OutputGoesIntoAPipeAndLeavesItThere)
{
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::optional<Result<std::string>> seen;
  std::thread reader([&] { seen = read_file(path("pipe")); });
  const Result<void> written = write_output(path("pipe"), "news");
  reader.join();
  ASSERT_TRUE(written);
  EXPECT_EQ(**seen, "news");
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

TEST_F(File, OutputToADeviceSaysWhyItFails)
{
  check_error(write_output("/dev/full", "text"),
              ErrorKind::io,
              "cannot write /dev/full: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(File, AWrittenFileIsReadableByAll)
{
  write("x", "");
  EXPECT_EQ(fs::status(path("x")).permissions(), static_cast<fs::perms>(0644));
}

TEST_F(File, AFailedWriteNamesTheFileAndLeavesNothingBehind)
{
  fs::create_directory(path("x"));
  check_error(write_file(path("x"), "y"),
              ErrorKind::io,
              "cannot write " + path("x").string() + ": Is a directory");
  EXPECT_THAT(names(), testing::ElementsAre("x"));
}

TEST_F(File, AFileCannotLieBelowAnotherFile)
{
  write("x", "");
  check_error(write_file(path("x/y"), "z"),
              ErrorKind::io,
              "cannot write " + path("x/y").string() + ": Not a directory");
}

TEST_F(File, AReaderSeesTheOldContentOrTheNewAndNeverHalf)
{
  const std::string first(200'000, 'a');
  const std::string second(100'000, 'b');
  write("x", first);
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int i = 0; i < 50; ++i) {
      EXPECT_TRUE(write_file(path("x"), i % 2 == 0 ? second : first));
    }
    done = true;
  });
  while (!done) {
    const Result<std::string> read = read_file(path("x"));
    EXPECT_TRUE(read && (*read == first || *read == second));
  }
  writer.join();
}

TEST_F(File, ATreeIsItsRegularFilesByRelativePath)
{
  const FileTree files = {{"train.py", "a\n"}, {"model/net.py", "b\n"}, {"model/deep/x.txt", ""}};
  ASSERT_TRUE(write_tree(path("program"), files));
  fs::create_directory(path("program/empty"));
  const Result<FileTree> read = read_tree(path("program"));
  ASSERT_TRUE(read) << read.error().line();
  EXPECT_EQ(*read, files);
}

TEST_F(File, ATreeLeavesOutHiddenFilesAndCaches)
{
  ASSERT_TRUE(write_tree(path("program"),
                         {{"train.py", "a"},
                          {".hidden", "b"},
                          {".git/config", "c"},
                          {"__pycache__/train.cpython-311.pyc", "d"},
                          {"model/__pycache__/net.pyc", "e"}}));
  const Result<FileTree> read = read_tree(path("program"));
  ASSERT_TRUE(read) << read.error().line();
  EXPECT_EQ(*read, (FileTree{{"train.py", "a"}}));
}

TEST_F(File, AnEmptyTreeCanBeWritten)
{
  ASSERT_TRUE(write_tree(path("program"), {}));
  const Result<FileTree> read = read_tree(path("program"));
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->empty());
}

TEST_F(File, ATreeWithALinkToAFileIsRefused)
{
  write("secret", "x");
  write("program/train.py", "a");
  fs::create_symlink(path("secret"), path("program/data.py"));
  check_error(read_tree(path("program")),
              ErrorKind::bad_data,
              path("program/data.py").string() + " is a symbolic link");
}

TEST_F(File, ATreeWithALinkToAFolderIsRefused)
{
  write("outside/x", "x");
  fs::create_directory(path("program"));
  fs::create_directory_symlink(path("outside"), path("program/inside"));
  check_error(read_tree(path("program")),
              ErrorKind::bad_data,
              path("program/inside").string() + " is a symbolic link");
}

TEST_F(File, ATreeWithALinkToNothingIsRefused)
{
  fs::create_directory(path("program"));
  fs::create_symlink("nowhere", path("program/x"));
  check_error(read_tree(path("program")),
              ErrorKind::bad_data,
              path("program/x").string() + " is a symbolic link");
}

TEST_F(File, TheRootOfATreeMustItselfBeNoLink)
{
  write("outside/x", "x");
  fs::create_directory_symlink(path("outside"), path("program"));
  check_error(read_tree(path("program")),
              ErrorKind::not_found,
              path("program").string() + " is not a directory");
}

TEST_F(File, AMissingTreeIsAnError)
{
  check_error(read_tree(path("program")),
              ErrorKind::not_found,
              path("program").string() + " is not a directory");
}

TEST(InnerPath, StaysInsideItsFolder)
{
  for (const char* path : {"a", "a/b", "a.b/c-d", "...", "a/..b", ".hidden"}) {
    EXPECT_TRUE(is_inner_path(path)) << path;
  }
  for (const char* path :
       {"", "/", "/a", ".", "..", "../a", "a/..", "a/../b", "./a", "a/./b", "a//b", "a/"}) {
    EXPECT_FALSE(is_inner_path(path)) << path;
  }
  EXPECT_FALSE(is_inner_path(std::string_view("a\0b", 3)));
}

TEST(TempDir, DisappearsWithItsObject)
{
  fs::path path;
  {
    const Result<TempDir> folder = TempDir::create();
    ASSERT_TRUE(folder);
    path = folder->path();
    ASSERT_TRUE(write_file(path / "a/b", "x"));
    EXPECT_TRUE(fs::is_directory(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TempDir, MovesWithItsObject)
{
  Result<TempDir> first = TempDir::create();
  ASSERT_TRUE(first);
  const fs::path path = first->path();
  {
    TempDir second = *std::move(first);
    EXPECT_EQ(second.path(), path);
    Result<TempDir> third = TempDir::create();
    ASSERT_TRUE(third);
    *third = std::move(second);
    EXPECT_EQ(third->path(), path);
    EXPECT_TRUE(fs::exists(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

} // namespace faultline
