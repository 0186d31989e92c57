#include "environment/built.hpp"
#include "environment/described.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

namespace faultline::environment {

namespace fs = std::filesystem;

using testing::ElementsAre;
using testing::IsEmpty;

class BuiltTest : public testing::Test {
protected:
  void SetUp() override
  {
    m_built.folder = folder_of(m_description, m_kept->path());
    m_built.driver = "venv";
    m_built.python = "3.11.2";
    m_built.packages = {{"tiny", "1.0"}};
    ASSERT_TRUE(write_tree(m_built.folder, {{"lib/tiny.py", "x = 1\n"}, {"interpreter", "1"}}));
    fs::create_directory(m_built.folder / "bin");
    fs::create_symlink("../interpreter", m_built.folder / "bin/python3");
    m_built.base = base_of(m_built.folder);
  }

  Description m_description = sample();
  Result<TempDir> m_kept = TempDir::create();
  Built m_built;
};

TEST_F(BuiltTest, WithoutItsRecordAFolderIsNoEnvironment)
{
  EXPECT_FALSE(find_built(m_description, m_kept->path()));
  ASSERT_TRUE(write_record(m_built));
  const std::optional<Built> found = find_built(m_description, m_kept->path());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->python, "3.11.2");
  EXPECT_EQ(found->packages.at("tiny"), "1.0");
}

TEST_F(BuiltTest, OfAnotherPythonItIsNoLongerTheOne)
{
  ASSERT_TRUE(write_record(m_built));
  ASSERT_TRUE(write_file(m_built.folder / "interpreter", "another one"));
  EXPECT_FALSE(find_built(m_description, m_kept->path()));
}

TEST_F(BuiltTest, OfAnotherLockItIsAnotherOne)
{
  ASSERT_TRUE(write_record(m_built));
  m_description.lock += "more==1 --hash=sha256:2\n";
  EXPECT_FALSE(find_built(m_description, m_kept->path()));
}

TEST_F(BuiltTest, TheManifestNamesWhatProgramsReadAndNotWhereItLies)
{
  const std::string before = manifest_of(m_built.folder);
  ASSERT_TRUE(write_tree(m_built.folder,
                         {{"bin/tool", "#!/kept/tiny-0/bin/python3\n"},
                          {"pyvenv.cfg", "home = /usr/bin\n"},
                          {"lib/tiny.dist-info/RECORD", "bin/tool,sha256=1,2\n"}}));
  ASSERT_TRUE(write_record(m_built));
  EXPECT_EQ(manifest_of(m_built.folder), before);
  ASSERT_TRUE(write_file(m_built.folder / "lib/tiny.py", "x = 2\n"));
  ASSERT_TRUE(write_file(m_built.folder / "lib/more.py", "y = 1\n"));
  fs::remove(m_built.folder / "interpreter");
  EXPECT_THAT(differing(before, manifest_of(m_built.folder)),
              ElementsAre("interpreter", "lib/more.py", "lib/tiny.py"));
  EXPECT_THAT(differing(before, before), IsEmpty());
}

TEST(Packages, OfTwoListsDifferByVersionOrByBeingThere)
{
  EXPECT_THAT(differing_packages("# a comment\na=1\nb=1\nc=1\n", "a=1\nb=2\nd=1\n"),
              ElementsAre("b 2 (was 1)", "d 1 (was not there)", "no c (was 1)"));
}

TEST(Folder, IsTheOneThatIsNamedOrInTheUsersCache)
{
  const char* home = std::getenv("HOME");
  const std::string kept_home = home == nullptr ? "" : home;
  setenv("FAULTLINE_ENVIRONMENTS", "/some/where", 1);
  EXPECT_EQ(*environments_folder(), "/some/where");
  unsetenv("FAULTLINE_ENVIRONMENTS");
  setenv("XDG_CACHE_HOME", "/a/cache", 1);
  EXPECT_EQ(*environments_folder(), "/a/cache/faultline/environments");
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", "/home/me", 1);
  EXPECT_EQ(*environments_folder(), "/home/me/.cache/faultline/environments");
  setenv("HOME", kept_home.c_str(), 1);
}

} // namespace faultline::environment
