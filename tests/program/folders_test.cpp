#include "base/text.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace faultline::program {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

std::string contents(const fs::path& path)
{
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Line of the table in ARCHITECTURE.md by folder of program/: "libraries/torch" → 11.
std::map<std::string, int> read_order(std::string_view text)
{
  std::map<std::string, int> order;
  bool inside = false;
  int line_number = 0;
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with("| folder of `program/`")) {
      inside = true;
      continue;
    }
    if (inside && !line.starts_with('|')) {
      break;
    }
    if (!inside) {
      continue;
    }
    ++line_number;
    const std::string_view cell = split(line, '|')[1];
    const std::vector<std::string_view> parts = split(cell, '`');
    for (size_t i = 1; i < parts.size(); i += 2) {
      order[std::string(parts[i].substr(0, parts[i].size() - 1))] = line_number;
    }
  }
  return order;
}

// "values/value.hpp" → "values".
std::string folder_of(const std::string& path)
{
  return fs::path(path).parent_path().string();
}

// The includes of a file of program/ (`path` is below it) that the order forbids.
std::vector<std::string> forbidden_includes(const std::map<std::string, int>& order,
                                            const std::string& path,
                                            std::string_view text)
{
  constexpr std::string_view k_start = "#include \"program/";
  const auto own = order.find(folder_of(path));
  if (own == order.end()) {
    return {path + " is in a folder without a line in ARCHITECTURE.md"};
  }
  std::vector<std::string> forbidden;
  for (const std::string_view line : split(text, '\n')) {
    if (!line.starts_with(k_start)) {
      continue;
    }
    const std::string included(line.substr(k_start.size(), line.rfind('"') - k_start.size()));
    const auto other = order.find(folder_of(included));
    if (other == order.end() || other->second > own->second) {
      forbidden.push_back(path + " includes " + included);
    }
  }
  return forbidden;
}

TEST(Folders, OfProgramUseOnlyThoseAboveThemInArchitecture)
{
  const fs::path root = fs::path(FL_SOURCE_DIR) / "src/program";
  const std::map<std::string, int> order =
      read_order(contents(fs::path(FL_SOURCE_DIR) / "ARCHITECTURE.md"));
  ASSERT_GT(order.size(), 10U);
  std::vector<std::string> forbidden;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    const std::string ending = entry.path().extension().string();
    if (ending == ".cpp" || ending == ".hpp") {
      const std::string path = entry.path().lexically_relative(root).generic_string();
      const std::vector<std::string> more = forbidden_includes(order, path, contents(entry.path()));
      forbidden.insert(forbidden.end(), more.begin(), more.end());
    }
  }
  EXPECT_THAT(forbidden, IsEmpty());
}

TEST(Folders, AreToldWhichIncludeGoesTheWrongWay)
{
  const std::map<std::string, int> order = read_order(
      "| folder of `program/` | job |\n|---|---|\n| `values/` | a |\n"
      "| `libraries/keras/`, `libraries/tensorflow/` | b |\n| `machine/` | c |\n\n| `x/` | d |\n");
  EXPECT_EQ(order.size(), 4U);
  EXPECT_THAT(forbidden_includes(order,
                                 "libraries/keras/a.cpp",
                                 "#include \"program/values/value.hpp\"\n"
                                 "#include \"program/libraries/tensorflow/tf.hpp\"\n"
                                 "#include \"program/machine/machine.hpp\"\n"),
              ElementsAre("libraries/keras/a.cpp includes machine/machine.hpp"));
  EXPECT_THAT(forbidden_includes(order, "new/a.cpp", ""),
              ElementsAre("new/a.cpp is in a folder without a line in ARCHITECTURE.md"));
}

} // namespace
} // namespace faultline::program
