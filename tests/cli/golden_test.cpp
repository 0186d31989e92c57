// Runs the binary as a user would: tests/cli/<case>/cmd is a line of bash; what it prints and its
// exit status must be those in stdout, stderr and code (missing: empty, empty, 0).
// FL_UPDATE_EXPECT=1 rewrites them. $DATA is tests/data, and the line runs in an empty folder with
// an empty store.

#include "base/file.hpp"
#include "base/text.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

namespace faultline {

namespace fs = std::filesystem;

static std::vector<std::string> all_cases()
{
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(FL_TEST_CASES)) {
    if (fs::exists(entry.path() / "cmd")) {
      names.push_back(entry.path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Golden : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Cli, Golden, testing::ValuesIn(all_cases()), [](const auto& tested) {
  return replace_all(tested.param, "-", "_");
});

static void compare(const fs::path& file, const std::string& actual)
{
  if (std::getenv("FL_UPDATE_EXPECT") != nullptr) {
    if (actual.empty()) {
      fs::remove(file);
    } else {
      ASSERT_TRUE(write_file(file, actual));
    }
    return;
  }
  const Result<std::string> expected = read_file(file);
  EXPECT_EQ(actual, expected ? *expected : "") << file;
}

TEST_P(Golden, PrintsWhatIsExpected)
{
  const fs::path folder = fs::path(FL_TEST_CASES) / GetParam();
  const Result<TempDir> place = TempDir::create();
  ASSERT_TRUE(place);
  fs::create_directory(place->path() / "cwd");
  const std::string line = "cd '" + (place->path() / "cwd").string() + "' && PATH='" +
                           fs::path(FL_BINARY).parent_path().string() + "':$PATH DATA='" +
                           FL_TEST_DATA + "' FAULTLINE_HOME='" + (place->path() / "home").string() +
                           "' NO_COLOR=1 bash '" + (folder / "cmd").string() +
                           "' >../out 2>../err </dev/null";
  const int status = std::system(line.c_str());
  // What differs from machine to machine.
  const auto settled = [&place](const char* name) {
    std::string text = *read_file(place->path() / name);
    text = replace_all(text, place->path().string(), "$TMP");
    return replace_all(text, FL_TEST_DATA, "$DATA");
  };
  EXPECT_EQ(settled("err").find("internal error"), std::string::npos) << settled("err");
  compare(folder / "stdout", settled("out"));
  compare(folder / "stderr", settled("err"));
  compare(folder / "code",
          WEXITSTATUS(status) == 0 ? "" : std::to_string(WEXITSTATUS(status)) + "\n");
}

} // namespace faultline
