#include "run/job_fixture.hpp"

namespace faultline::run {

TEST(Environment, PassesOverAnInterpreterWithoutTheFramework)
{
  // An interpreter that is first in PATH and has no torch, as pyenv puts one there.
  const Result<TempDir> folder = TempDir::create();
  ASSERT_TRUE(
      write_file(folder->path() / "python3", "#!/bin/sh\nexec /usr/bin/python3 -S -I \"$@\"\n"));
  std::filesystem::permissions(folder->path() / "python3", std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  setenv("PATH", (folder->path().string() + ":" + path).c_str(), 1);
  const Environment environment = discover_environment(FL_SOURCE_DIR, {});
  setenv("PATH", path.c_str(), 1);
  ASSERT_TRUE(environment.python);
  EXPECT_NE(environment.python->path, folder->path() / "python3");
  ASSERT_FALSE(environment.other_pythons.empty());
  EXPECT_NE(environment.other_pythons.front().find("without torch"), std::string::npos);
}

TEST(Environment, SaysWhatIsMissingAndHowToGetIt)
{
  const Environment nothing;
  EXPECT_EQ(nothing.missing("pytorch"),
            "no python3 with torch (apt-get install python3-torch, or set FAULTLINE_PYTHON)");
  EXPECT_EQ(nothing.missing("tfjs"), "no node (apt-get install nodejs npm)");
}

TEST(Environment, FingerprintNamesEveryVersion)
{
  const std::string text = machine().fingerprint("pytorch");
  EXPECT_NE(text.find("torch "), std::string::npos);
  EXPECT_NE(text.find("python 3."), std::string::npos);
  EXPECT_NE(machine().fingerprint("tfjs").find("node v"), std::string::npos);
  EXPECT_NE(machine().fingerprint("libtorch").find("g++ "), std::string::npos);
}

} // namespace faultline::run
