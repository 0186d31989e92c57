#include "base/file.hpp"
#include "check/walk.hpp"

#include <gtest/gtest.h>

namespace faultline::check {

namespace fs = std::filesystem;

namespace {

// Files that are found below a folder with these files, without the folder's own name.
std::vector<std::string> found(const FileTree& files, const std::string& below = "")
{
  const Result<TempDir> place = TempDir::create();
  EXPECT_TRUE(place && write_tree(place->path(), files));
  const std::string root = place->path().string() + "/";
  std::vector<std::string> names;
  for (const std::string& file : find_programs({root + below}).files) {
    EXPECT_TRUE(file.starts_with(root)) << file;
    names.push_back(file.substr(root.size()));
  }
  return names;
}

using Names = std::vector<std::string>;

} // namespace

TEST(Walk, FindsScriptsAndNotebooks)
{
  EXPECT_EQ(found({{"b.py", ""}, {"a/n.ipynb", ""}, {"a/c.txt", ""}, {"readme.md", ""}}),
            (Names{"a/n.ipynb", "b.py"}));
}

TEST(Walk, LeavesOutWhatIsHiddenOrForeign)
{
  EXPECT_EQ(found({{"a.py", ""},
                   {".hidden.py", ""},
                   {".git/b.py", ""},
                   {"__pycache__/c.py", ""},
                   {"node_modules/d.py", ""},
                   {"build/e.py", ""},
                   {"env/pyvenv.cfg", ""},
                   {"env/lib/f.py", ""}}),
            (Names{"a.py"}));
}

TEST(Walk, HonoursIgnoreFilesAtEveryLevel)
{
  const FileTree files = {{".git/HEAD", ""},
                          {".gitignore", "gen/\n*_old.py\n/top.py\n"},
                          {"a.py", ""},
                          {"top.py", ""},
                          {"gen/b.py", ""},
                          {"pkg/.gitignore", "!keep_old.py\nlocal/**\n"},
                          {"pkg/top.py", ""},
                          {"pkg/x_old.py", ""},
                          {"pkg/keep_old.py", ""},
                          {"pkg/gen/c.py", ""},
                          {"pkg/local/d/e.py", ""}};
  EXPECT_EQ(found(files), (Names{"a.py", "pkg/keep_old.py", "pkg/top.py"}));
  EXPECT_EQ(found(files, "pkg"), (Names{"pkg/keep_old.py", "pkg/top.py"}));
  EXPECT_EQ(found(files, "pkg/"), (Names{"pkg/keep_old.py", "pkg/top.py"}));
}

TEST(Walk, AFileThatIsNamedIsTakenWhateverItIs)
{
  EXPECT_EQ(found({{".gitignore", "*\n"}, {".git/x", ""}, {"script", ""}}, "script"),
            (Names{"script"}));
}

TEST(Walk, LinksToFoldersAreNotFollowed)
{
  const Result<TempDir> place = TempDir::create();
  ASSERT_TRUE(write_tree(place->path(), {{"a/b.py", ""}}));
  fs::create_directory_symlink("..", place->path() / "a/loop");
  EXPECT_EQ(find_programs({place->path().string()}).files.size(), 1U);
}

TEST(Walk, SaysWhatIsNotThereAndNamesEachFileOnce)
{
  const Result<TempDir> place = TempDir::create();
  ASSERT_TRUE(write_tree(place->path(), {{"a.py", ""}}));
  const std::string root = place->path().string();
  const Walk walk = find_programs({root + "/a.py", root + "/gone.py", root + "/./a.py", root});
  EXPECT_EQ(walk.files, (Names{root + "/a.py"}));
  ASSERT_EQ(walk.unreadable.size(), 1U);
  EXPECT_EQ(walk.unreadable[0].path, root + "/gone.py");
  EXPECT_EQ(walk.unreadable[0].reason, "No such file or directory");
}

} // namespace faultline::check
