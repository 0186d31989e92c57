#include "base/source_files.hpp"
#include "base/text.hpp"
#include "trace/page.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace faultline::trace {

namespace {

std::vector<std::string> sections_of(const Symptom& symptom)
{
  std::vector<std::string> sections;
  bool inside = false;
  for (const std::string_view line : split_lines(documentation_of(symptom))) {
    inside = line.starts_with("```") ? !inside : inside;
    if (!inside && line.starts_with("#")) {
      sections.emplace_back(line);
    }
  }
  return sections;
}

} // namespace

class EachSymptom : public testing::TestWithParam<const Symptom*> {};

INSTANTIATE_TEST_SUITE_P(Symptoms,
                         EachSymptom,
                         testing::ValuesIn(all_symptoms().begin(), all_symptoms().end()),
                         [](const auto& tested) { return std::string(tested.param->code); });

TEST_P(EachSymptom, SaysWhatItIs)
{
  const Symptom& symptom = *GetParam();
  EXPECT_TRUE(symptom.summary.starts_with("Finds ")) << symptom.summary;
  EXPECT_FALSE(symptom.summary.ends_with('.')) << symptom.summary;
  EXPECT_NE(symptom.check, nullptr);
  EXPECT_EQ(symptom.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
            symptom.name.npos);
  EXPECT_EQ(find_symptom(symptom.code), &symptom);
  EXPECT_EQ(find_symptom(symptom.name), &symptom);
  EXPECT_NE(group_of(symptom), "");
}

TEST_P(EachSymptom, ExplainsOtherSymptomsOnly)
{
  const Symptom& symptom = *GetParam();
  for (const std::string_view code : split(symptom.explains, ' ')) {
    if (!symptom.explains.empty()) {
      EXPECT_NE(find_symptom(code), nullptr) << "`" << code << "`";
      EXPECT_NE(code, symptom.code);
    }
  }
}

TEST_P(EachSymptom, HasAPageOfTheUsualShape)
{
  std::vector<std::string> sections = sections_of(*GetParam());
  std::erase(sections, "## Known limits");
  EXPECT_EQ(
      sections,
      (std::vector<std::string>{
          "## What it finds", "## Why it matters", "## Example", "## Fixed", "## References"}));
  EXPECT_EQ(documentation_of(*GetParam()).find("\n…\n"), std::string_view::npos)
      << "a part of the page is not written yet";
}

TEST_P(EachSymptom, ShowsWhenItSpeaksAndWhenItIsSilent)
{
  const std::vector<Block> blocks = blocks_of(*GetParam());
  for (const std::string_view section : {"Example", "Fixed"}) {
    EXPECT_TRUE(std::ranges::any_of(blocks, [section](const Block& block) {
      return block.section == section;
    })) << section;
  }
  for (const Block& block : blocks) {
    EXPECT_EQ(block.section == "Example", block.expected.starts_with(GetParam()->code)) << block;
  }
}

// A file that symptoms.inc does not name is compiled, and never asked.
TEST(Registry, NamesTheFilesOfAllGroups)
{
  std::set<std::string> registered;
  for (const Symptom* symptom : all_symptoms()) {
    std::string file(symptom->name);
    std::ranges::replace(file, '-', '_');
    registered.insert(format("{}/{}", group_of(*symptom), file));
  }
  EXPECT_EQ(stems_below(FL_SOURCE_DIR "/src/trace", ".md"), registered);
  for (const std::string& file : registered) {
    EXPECT_TRUE(std::filesystem::exists(FL_SOURCE_DIR "/src/trace/" + file + ".cpp")) << file;
  }
}

TEST(Registry, IsSortedAndNamesEachSymptomOnce)
{
  std::set<std::string_view> names;
  std::string_view last;
  for (const Symptom* symptom : all_symptoms()) {
    EXPECT_LT(last, symptom->code);
    EXPECT_TRUE(names.insert(symptom->name).second) << symptom->name << " occurs twice";
    last = symptom->code;
  }
  EXPECT_EQ(find_symptom("TR000"), nullptr);
}

} // namespace faultline::trace
