#include "base/file.hpp"
#include "check/config.hpp"

#include <gtest/gtest.h>

namespace faultline::check {

namespace {

std::string refusal(const std::string& section)
{
  const Result<std::optional<Config>> config =
      parse_config("[tool.faultline]\n" + section, "pyproject.toml");
  return config ? "" : config.error().line();
}

} // namespace

TEST(Config, IsTheSectionOfPyproject)
{
  const Result<std::optional<Config>> config = parse_config("[project]\nname = 'x'\n"
                                                            "[tool.faultline]\n"
                                                            "select = ['default', 'NU']\n"
                                                            "ignore = ['DL213']\n"
                                                            "exclude = ['legacy/']\n"
                                                            "severity = 'error'\n"
                                                            "[tool.faultline.per-file-ignores]\n"
                                                            "'tests/*' = ['loss']\n",
                                                            "pyproject.toml");
  ASSERT_TRUE(config) << config.error().line();
  ASSERT_TRUE(*config);
  EXPECT_EQ((*config)->select, (std::vector<std::string>{"default", "NU"}));
  EXPECT_EQ((*config)->ignore, (std::vector<std::string>{"DL213"}));
  EXPECT_EQ((*config)->severity, source::Severity::error);
  ASSERT_EQ((*config)->per_file.size(), 1U);
  EXPECT_TRUE((*config)->per_file[0].files.covers("tests/x.py"));
}

TEST(Config, WithoutTheSectionThereIsNone)
{
  const Result<std::optional<Config>> config = parse_config("[tool.black]\n", "pyproject.toml");
  ASSERT_TRUE(config);
  EXPECT_FALSE(*config);
}

TEST(Config, SaysWhatIsWrongWhere)
{
  EXPECT_EQ(refusal("selct = []\n"),
            "pyproject.toml:2: unknown key `selct`, did you mean `select`?");
  EXPECT_EQ(refusal("\nselect = ['losss']\n"),
            "pyproject.toml:3: unknown rule `losss`, did you mean `loss`?");
  EXPECT_EQ(refusal("severity = 'high'\n"),
            "pyproject.toml:2: `high` must be info, warning or error");
  EXPECT_EQ(refusal("exclude = 'x'\n"), "pyproject.toml:2: `exclude` must be a list of strings");
  EXPECT_EQ(refusal("[tool.faultline.per-file-ignores]\n'*' = ['lossy']\n"),
            "pyproject.toml:3: unknown rule `lossy`, did you mean `loss`?");
}

TEST(Config, TheNearestFileWithTheSectionCounts)
{
  const Result<TempDir> place = TempDir::create();
  ASSERT_TRUE(write_tree(place->path(),
                         {{"pyproject.toml", "[tool.faultline]\nexclude = ['gen/']\n"},
                          {"inner/pyproject.toml", "[tool.black]\n"},
                          {"other/pyproject.toml", "[tool.faultline]\nseverity = 'info'\n"}}));
  const std::string root = place->path().string();
  ConfigFinder finder;
  const Result<const Config*> inner = finder.config_of(root + "/inner/deep/x.py");
  ASSERT_TRUE(inner);
  EXPECT_EQ((*inner)->folder, place->path());
  EXPECT_TRUE((*inner)->excludes(root + "/inner/gen/x.py"));
  EXPECT_FALSE((*inner)->excludes(root + "/inner/x.py"));
  EXPECT_FALSE((*inner)->excludes("/elsewhere/gen/x.py"));
  const Result<const Config*> other = finder.config_of(root + "/other/x.py");
  ASSERT_TRUE(other);
  EXPECT_EQ((*other)->severity, source::Severity::info);
  EXPECT_TRUE((*other)->exclude.empty());
}

} // namespace faultline::check
