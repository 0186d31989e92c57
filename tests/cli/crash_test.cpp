// The whole program, of which one file's analysis crashes on purpose.

#include "base/file.hpp"
#include "base/json.hpp"
#include "run/capture.hpp"

#include <gtest/gtest.h>

namespace faultline {

namespace fs = std::filesystem;

namespace {

constexpr const char* k_bad = "import numpy as np\nx = np.zeros((2, 3)).reshape((4, 2))\n";

class CrashTest : public testing::Test {
protected:
  void SetUp() override
  {
    ASSERT_TRUE(m_place);
    ASSERT_TRUE(write_tree(m_place->path(),
                           {{"a.py", k_bad},
                            {"b.py", "crash_on_purpose = 1\n"},
                            {"c.py", k_bad},
                            {"d.py", "x = 1\n"}}));
  }

  run::Captured check(std::vector<std::string> arguments) const
  {
    arguments.insert(arguments.begin(), {FL_CRASHING_BINARY, "check", "--no-config"});
    const Result<run::Captured> captured = run::capture(arguments);
    EXPECT_TRUE(captured) << captured.error().line();
    return *captured;
  }

  std::string file(const char* name) const { return (m_place->path() / name).string(); }
  std::string folder() const { return m_place->path().string(); }

private:
  Result<TempDir> m_place = TempDir::create();
};

TEST_F(CrashTest, OfOneFileLosesNothingOfTheOthers)
{
  const run::Captured ran = check({folder()});
  EXPECT_EQ(ran.status, 2) << ran.output;
  for (const std::string& expected : {file("a.py") + ":2:",
                                      file("c.py") + ":2:",
                                      std::string("2 errors in 2 files"),
                                      "faultline: error: analysis failed of " + file("b.py") +
                                          ": the process crashed (SIGSEGV)\n",
                                      std::string("faultline: 3 files analysed, 1 failed.\n")}) {
    EXPECT_NE(ran.output.find(expected), std::string::npos) << expected << "\n" << ran.output;
  }
}

TEST_F(CrashTest, OfTheOnlyFileIsOneClearError)
{
  const run::Captured ran = check({file("b.py")});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.output,
            "No findings.\nfaultline: error: analysis failed of " + file("b.py") +
                ": the process crashed (SIGSEGV)\nfaultline: 0 files analysed, 1 failed.\n");
}

TEST_F(CrashTest, IsInTheReportForMachines)
{
  const run::Captured ran = check({"--statistics", "--format", "json", folder()});
  EXPECT_EQ(ran.status, 2);
  const Json json = parse_json(ran.output.substr(0, ran.output.rfind("\n}") + 2));
  ASSERT_TRUE(json.is_object()) << ran.output;
  EXPECT_EQ(json["findings"].size(), 2U);
  ASSERT_EQ(json["unreadable"].size(), 1U);
  EXPECT_EQ(json["unreadable"][0]["file"], file("b.py"));
  EXPECT_EQ(json["unreadable"][0]["failed"], true);
}

// As many crashes as files: each has a process of its own.
TEST_F(CrashTest, OfManyFilesIsNotedForEach)
{
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(write_file(fs::path(folder()) / ("n" + std::to_string(i) + ".py"),
                           "crash_on_purpose = 1\n"));
  }
  const run::Captured ran = check({folder()});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.output.find("faultline: 3 files analysed, 41 failed.\n"), std::string::npos)
      << ran.output;
  EXPECT_NE(ran.output.find("2 errors in 2 files"), std::string::npos) << ran.output;
}

} // namespace
} // namespace faultline
