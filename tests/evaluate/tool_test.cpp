#include "base/file.hpp"
#include "base/text.hpp"
#include "evaluate/tool.hpp"

#include <gtest/gtest.h>

namespace faultline::evaluate {

namespace fs = std::filesystem;

class ToolTest : public testing::Test {
protected:
  static const catalog::Schemes& schemes()
  {
    static const Result<catalog::Schemes> k_schemes =
        catalog::load_schemes(fs::path(FL_SOURCE_DIR) / "taxonomy");
    return *k_schemes;
  }

  // The description below, with one thing in it replaced by another.
  Result<Tool> load(const std::string& from, const std::string& to)
  {
    const std::string text = R"(name = "mine"
summary = "A tool"
kind = "static"
command = ["mine", "{entry}"]
[applies]
languages = ["python"]
[limits]
timeout_seconds = 5
[output]
format = "text"
patterns = ['(?<file>[^:]+):(?<line>\d+): (?<message>.*)']
[types]
a1 = "api/deprecated-api"
)";
    EXPECT_NE(text.find(from), std::string::npos) << from;
    EXPECT_TRUE(write_file(m_folder->path() / "mine.toml", replace_all(text, from, to)));
    return load_tool(m_folder->path() / "mine.toml", schemes());
  }
  std::string error(const std::string& from, const std::string& to)
  {
    const Result<Tool> tool = load(from, to);
    EXPECT_FALSE(tool) << to;
    return tool ? "" : replace_all(tool.error().line(), m_folder->path().string() + "/", "");
  }

  Result<TempDir> m_folder = TempDir::create();
};

TEST_F(ToolTest, ReadsADescription)
{
  const Result<Tool> tool = load("5", "5");
  ASSERT_TRUE(tool) << tool.error().line();
  EXPECT_EQ(tool->name, "mine");
  EXPECT_EQ(tool->command, (std::vector<std::string>{"mine", "{entry}"}));
  EXPECT_EQ(tool->limits.timeout_seconds, 5);
  EXPECT_TRUE(tool->uses("entry"));
  EXPECT_FALSE(tool->uses("run"));
  EXPECT_EQ(tool->types.at("a1"), "api/deprecated-api");
  EXPECT_EQ(tool->levels.size(), 2U);
}

TEST_F(ToolTest, SaysWhatIsWrongAndWhere)
{
  EXPECT_EQ(error("\"mine\"\n", "mine\n"),
            "mine.toml:1: broken TOML: Error while parsing value: could not determine value type");
  EXPECT_EQ(error("name = \"mine\"", "name = \"other\""),
            "mine.toml:1: `other` is not what the file is called");
  EXPECT_EQ(error("\"static\"", "\"statc\""),
            "mine.toml:3: unknown kind `statc`, did you mean `static`?");
  EXPECT_EQ(error("\"static\"", "\"quantum\""),
            "mine.toml:3: unknown kind `quantum`; it is one of static, dynamic");
  EXPECT_EQ(error("{entry}", "{entri}"),
            "mine.toml:4: unknown placeholder `entri`, did you mean `entry`?");
  EXPECT_EQ(error("{entry}", "a{run}"),
            "mine.toml:4: `{run}` is several words and must be a word of its own");
  EXPECT_EQ(error("\"python\"", "\"pyton\""),
            "mine.toml:6: unknown language `pyton`, did you mean `python`?");
  EXPECT_EQ(error("timeout_seconds = 5", "timeout_seconds = 0"),
            "mine.toml:8: `timeout_seconds` must lie between 0 and 3600");
  EXPECT_EQ(error("timeout_seconds = 5", "output_mib = 1000"),
            "mine.toml:8: `output_mib` must lie between 1 and 128");
  EXPECT_EQ(error("\"text\"", "\"xml\""),
            "mine.toml:10: unknown format `xml`; it is one of sarif, json, text");
  EXPECT_EQ(error("(?<file>", "(?<fil>"),
            "mine.toml:11: unknown group `fil`, did you mean `file`?");
  EXPECT_EQ(error("(?<message>.*)", "(.*"),
            "mine.toml:11: not a regular expression: missing closing parenthesis at character 33");
  EXPECT_EQ(error("(?<message>.*)", ".*"),
            "mine.toml:11: a pattern needs a group (?<message>…) or (?<rule>…)");
  EXPECT_EQ(error("api/deprecated-api", "api/deprecated-apo"),
            "mine.toml:13: unknown type `api/deprecated-apo`, did you mean `api/deprecated-api`?");
  EXPECT_EQ(error("api/deprecated-api", "api"),
            "mine.toml:13: type `api` is not a leaf of its scheme");
  EXPECT_EQ(error("[limits]", "[limit]"),
            "mine.toml:7: unknown key `limit`, did you mean `limits`?");
  EXPECT_EQ(error("summary = \"A tool\"", ""), "mine.toml:1: missing key `summary`");
  EXPECT_EQ(error("summary", "sumary"),
            "mine.toml:2: unknown key `sumary`, did you mean `summary`?");
  EXPECT_EQ(error("format =", "formt ="),
            "mine.toml:10: unknown key `formt`, did you mean `format`?");
}

TEST_F(ToolTest, KnowsTheWordsForSeverities)
{
  Tool tool;
  tool.severities["odd"] = source::Severity::error;
  EXPECT_EQ(tool.severity_of("Error"), source::Severity::error);
  EXPECT_EQ(tool.severity_of("fatal"), source::Severity::error);
  EXPECT_EQ(tool.severity_of("convention"), source::Severity::info);
  EXPECT_EQ(tool.severity_of("note"), source::Severity::info);
  EXPECT_EQ(tool.severity_of(""), source::Severity::warning);
  EXPECT_EQ(tool.severity_of("never heard"), source::Severity::warning);
  EXPECT_EQ(tool.severity_of("odd"), source::Severity::error);
}

TEST_F(ToolTest, EveryShippedDescriptionLoads)
{
  const Result<Toolbox> box = load_tools(fs::path(FL_SOURCE_DIR) / "tools", {}, schemes());
  ASSERT_TRUE(box) << box.error().line();
  EXPECT_EQ(box->asked.size(), 8U);
  EXPECT_TRUE(box->find("check+watch")->is_union());
}

TEST_F(ToolTest, MembersOfAUnionComeAlong)
{
  const Result<Toolbox> box =
      load_tools(fs::path(FL_SOURCE_DIR) / "tools", {"check+watch"}, schemes());
  ASSERT_TRUE(box) << box.error().line();
  EXPECT_EQ(box->asked.size(), 1U);
  EXPECT_EQ(box->tools.size(), 3U);
}

TEST_F(ToolTest, NamesTheNearestTool)
{
  const Result<Toolbox> box = load_tools(fs::path(FL_SOURCE_DIR) / "tools", {"chek"}, schemes());
  ASSERT_FALSE(box);
  EXPECT_EQ(box.error().line(), "unknown tool `chek`, did you mean `check`?");
  const Result<Toolbox> other =
      load_tools(fs::path(FL_SOURCE_DIR) / "tools", {"quantum"}, schemes());
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().line(),
            "unknown tool `quantum`; there are check, check+watch, neuralint, pyflakes, pylint, "
            "ruff-check, torchfix, watch, or name a .toml file");
}

} // namespace faultline::evaluate
