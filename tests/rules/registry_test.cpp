#include "base/file.hpp"
#include "base/format.hpp"
#include "base/source_files.hpp"
#include "base/text.hpp"
#include "base/toml.hpp"
#include "rules/page.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace faultline::rules {

namespace {

std::vector<std::string> sections_of(const Rule& rule)
{
  std::vector<std::string> sections;
  bool inside = false;
  for (const std::string_view line : split_lines(documentation_of(rule))) {
    inside = line.starts_with("```") ? !inside : inside;
    if (!inside && line.starts_with("#")) {
      sections.emplace_back(line);
    }
  }
  return sections;
}

bool has_marker(const Block& block)
{
  return !markers_of(block).empty();
}

} // namespace

class EachRule : public testing::TestWithParam<const Rule*> {};

INSTANTIATE_TEST_SUITE_P(Rules,
                         EachRule,
                         testing::ValuesIn(all_rules().begin(), all_rules().end()),
                         [](const auto& tested) { return std::string(tested.param->code); });

TEST_P(EachRule, SaysWhatItIs)
{
  const Rule& rule = *GetParam();
  EXPECT_TRUE(rule.summary.starts_with("Finds ")) << rule.summary;
  EXPECT_FALSE(rule.summary.ends_with('.')) << rule.summary;
  EXPECT_NE(rule.check, nullptr);
  EXPECT_EQ(rule.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), rule.name.npos);
  const std::set<std::string_view> front_ends = {"any", "keras", "tf1", "tf2", "torch"};
  for (const std::string_view word : split(rule.applies, ' ')) {
    EXPECT_TRUE(front_ends.contains(word)) << "applies to `" << word << "`";
  }
  EXPECT_EQ(find_rule(rule.code), &rule);
  EXPECT_EQ(find_rule(rule.name), &rule);
  EXPECT_NE(group_of(rule), "");
}

TEST_P(EachRule, HasAPageOfTheUsualShape)
{
  std::vector<std::string> sections = sections_of(*GetParam());
  std::erase(sections, "## Known limits");
  EXPECT_EQ(
      sections,
      (std::vector<std::string>{
          "## What it finds", "## Why it matters", "## Example", "## Fixed", "## References"}));
  EXPECT_EQ(documentation_of(*GetParam()).find("…"), std::string_view::npos)
      << "a part of the page is not written yet";
}

TEST_P(EachRule, ShowsWhenItSpeaksAndWhenItIsSilent)
{
  const std::vector<Block> blocks = blocks_of(*GetParam());
  EXPECT_TRUE(std::ranges::any_of(blocks,
                                  [](const Block& block) {
                                    const std::vector<Marker> markers = markers_of(block);
                                    return std::ranges::any_of(markers, [](const Marker& m) {
                                      return m.kind == "expect";
                                    });
                                  }))
      << "no block has `# expect: " << GetParam()->code << "`";
  EXPECT_FALSE(std::ranges::all_of(blocks, has_marker)) << "every block has a marker";
}

// A file that rules.inc does not name is compiled, and never asked.
TEST(Registry, NamesTheFilesOfAllGroups)
{
  std::set<std::string> registered;
  for (const Rule* rule : all_rules()) {
    std::string file(rule->name);
    std::ranges::replace(file, '-', '_');
    registered.insert(format("{}/{}", group_of(*rule), file));
  }
  EXPECT_EQ(stems_below(FL_SOURCE_DIR "/src/rules", ".md"), registered);
  for (const std::string& file : registered) {
    EXPECT_TRUE(std::filesystem::exists(FL_SOURCE_DIR "/src/rules/" + file + ".cpp")) << file;
  }
}

TEST(Registry, IsSortedAndNamesEachRuleOnce)
{
  std::set<std::string_view> names;
  std::string_view last;
  for (const Rule* rule : all_rules()) {
    EXPECT_LT(last, rule->code);
    EXPECT_TRUE(names.insert(rule->name).second) << rule->name << " occurs twice";
    last = rule->code;
  }
  EXPECT_EQ(find_rule("DL000"), nullptr);
}

} // namespace faultline::rules
