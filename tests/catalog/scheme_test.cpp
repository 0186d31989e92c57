#include "catalog/fault_fixture.hpp"
#include "catalog/scheme.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace faultline::catalog {

namespace {

int sum_of(const Scheme& scheme, const std::string& count, std::string_view below = "")
{
  int sum = 0;
  for (const Label& label : scheme.labels) {
    if (label.leaf && (below.empty() || is_within(label.id, below)) &&
        label.counts.contains(count)) {
      sum += label.counts.at(count);
    }
  }
  return sum;
}

// A folder with a copy of the project's schemes, one of them changed.
void check_error(const std::string& file,
                 std::string_view from,
                 std::string_view to,
                 const std::string& message)
{
  const Result<TempDir> folder = TempDir::create();
  ASSERT_TRUE(folder);
  Result<FileTree> files = read_tree(std::filesystem::path(FL_SOURCE_DIR) / "taxonomy");
  ASSERT_TRUE(files);
  change(*files, file, from, to);
  ASSERT_TRUE(write_tree(folder->path(), *files));
  const Result<Schemes> schemes = load_schemes(folder->path());
  ASSERT_FALSE(schemes) << "expected: " << message;
  EXPECT_EQ(replace_all(schemes.error().line(), folder->path().string() + "/", ""), message);
}

constexpr std::string_view k_level_head = "[[node]]\nid         = \"ml-component\"";

} // namespace

TEST(Scheme, AllSevenAreThereInTheOrderOfTheirNames)
{
  ASSERT_EQ(project_schemes().all.size(), 7);
  for (size_t i = 0; i < k_scheme_names.size(); ++i) {
    const Scheme& scheme = project_schemes().all[i];
    EXPECT_EQ(scheme.name, k_scheme_names[i]);
    EXPECT_EQ(&project_schemes().get(k_scheme_names[i]), &scheme);
    EXPECT_FALSE(scheme.title.empty());
    EXPECT_FALSE(scheme.source.empty());
  }
}

TEST(Scheme, HasAsManyLabelsAsItsStudy)
{
  const std::map<std::string, size_t> leaves = {{"type", 92},
                                                {"category", 6},
                                                {"fix_pattern", 15},
                                                {"symptom", 6},
                                                {"property", 7},
                                                {"phase", 3},
                                                {"level", 2}};
  for (const auto& [name, count] : leaves) {
    EXPECT_EQ(project_schemes().get(name).leaf_ids().size(), count) << name;
  }
}

TEST(Scheme, TypesAreATreeOf24InnerNodesAnd92Leaves)
{
  const Scheme& types = project_schemes().get("type");
  EXPECT_EQ(types.labels.size(), 116);
  EXPECT_EQ(std::ranges::count(types.labels, false, &Label::leaf), 24);
  for (const Label& label : types.labels) {
    const bool has_children = std::ranges::any_of(types.labels, [&label](const Label& other) {
      return other.id != label.id && is_within(other.id, label.id);
    });
    EXPECT_EQ(has_children, !label.leaf) << label.id;
  }
}

// Humbatova et al., ICSE 2020: 375 faults, 149 of them from artefacts and 226 from interviews.
TEST(Scheme, TheLeavesAddUpToTheFaultsOfTheStudy)
{
  const Scheme& types = project_schemes().get("type");
  EXPECT_EQ(sum_of(types, "artefacts"), 149);
  EXPECT_EQ(sum_of(types, "interviews"), 226);
}

TEST(Scheme, AnInnerNodeIsTheSumOfItsLeaves)
{
  const Scheme& types = project_schemes().get("type");
  for (const Label& label : types.labels) {
    for (const char* count : {"artefacts", "interviews"}) {
      EXPECT_EQ(sum_of(types, count, label.id), label.counts.at(count)) << label.id << ' ' << count;
    }
  }
}

// Islam et al., ICSE 2020: 667 fixes, 320 from Stack Overflow and 347 from GitHub. gDefects4DL: 64
// faults.
TEST(Scheme, OtherSchemesKeepTheCountsOfTheirStudies)
{
  EXPECT_EQ(sum_of(project_schemes().get("fix_pattern"), "stack_overflow"), 320);
  EXPECT_EQ(sum_of(project_schemes().get("fix_pattern"), "github"), 347);
  EXPECT_EQ(sum_of(project_schemes().get("category"), "faults"), 64);
}

TEST(Scheme, FifteenTypesWereSurveyed)
{
  const Scheme& types = project_schemes().get("type");
  EXPECT_EQ(std::ranges::count_if(types.labels,
                                  [](const Label& label) { return label.survey.has_value(); }),
            15);
  const Label* layers = types.find("model/layers/activation-function");
  ASSERT_TRUE(layers != nullptr && layers->survey);
  EXPECT_EQ(layers->survey->met, 43);
  EXPECT_EQ(layers->survey->severity, (std::array<int, 3>{33, 67, 0}));
  EXPECT_EQ(layers->survey->effort, (std::array<int, 3>{67, 22, 11}));
}

TEST(Scheme, SharesOfASurveyAddUpToAHundred)
{
  for (const Label& label : project_schemes().get("type").labels) {
    if (label.survey) {
      for (const std::array<int, 3>& shares : {label.survey->severity, label.survey->effort}) {
        // Each share is rounded on its own.
        EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0), 100, 1) << label.id;
      }
    }
  }
}

TEST(Scheme, EveryLabelHasANameAndADefinition)
{
  for (const Scheme& scheme : project_schemes().all) {
    for (const Label& label : scheme.labels) {
      EXPECT_FALSE(label.name.empty()) << label.id;
      EXPECT_FALSE(label.definition.empty()) << label.id;
    }
  }
}

TEST(Scheme, FindsInnerNodesAndLeavesById)
{
  const Scheme& types = project_schemes().get("type");
  ASSERT_NE(types.find("model/layers"), nullptr);
  EXPECT_FALSE(types.find("model/layers")->leaf);
  ASSERT_NE(types.find("api/missing-api-call"), nullptr);
  EXPECT_TRUE(types.find("api/missing-api-call")->leaf);
  EXPECT_EQ(types.find("layers"), nullptr);
  EXPECT_EQ(types.find(""), nullptr);
}

TEST(Scheme, LeavesAreWhatAFaultCanCarry)
{
  EXPECT_THAT(project_schemes().get("level").leaf_ids(),
              testing::ElementsAre("ml-component", "ml-related"));
  EXPECT_THAT(project_schemes().get("type").leaf_ids(), testing::Not(testing::Contains("model")));
}

TEST(Scheme, ALabelIsWithinItselfAndWhatIsAbove)
{
  EXPECT_TRUE(is_within("model/layers/x", "model"));
  EXPECT_TRUE(is_within("model/layers/x", "model/layers"));
  EXPECT_TRUE(is_within("model", "model"));
  EXPECT_FALSE(is_within("model", "model/layers"));
  EXPECT_FALSE(is_within("model-type", "model"));
  EXPECT_FALSE(is_within("training/model", "model"));
}

TEST(Scheme, AMissingFileIsNamed)
{
  const Result<TempDir> folder = TempDir::create();
  ASSERT_TRUE(folder);
  const Result<Schemes> schemes = load_schemes(folder->path());
  ASSERT_FALSE(schemes);
  EXPECT_EQ(schemes.error().line(),
            "cannot read " + (folder->path() / "types.toml").string() +
                ": No such file or directory");
}

TEST(Scheme, AFileHoldsTheSchemeOfItsName)
{
  check_error("levels.toml",
              "scheme  = \"level\"",
              "scheme  = \"phase\"",
              "levels.toml:1: this file must hold the scheme `level`");
}

TEST(Scheme, ALabelOccursOnce)
{
  check_error("levels.toml",
              "\"ml-related\"",
              "\"ml-component\"",
              "levels.toml:12: duplicate label `ml-component`");
}

TEST(Scheme, AChildComesBelowItsParent)
{
  check_error("levels.toml",
              "\"ml-related\"",
              "\"ml/related\"",
              "levels.toml:12: `ml/related` has no parent above it");
}

TEST(Scheme, ALabelNeedsItsDefinition)
{
  check_error("levels.toml", k_level_head, "[[node]]\n", "levels.toml:6: missing key `id`");
}

TEST(Scheme, UnknownKeysAreRefused)
{
  check_error("levels.toml",
              k_level_head,
              "[[node]]\nlaef = true\nid = \"ml-component\"",
              "levels.toml:7: unknown key `laef`, did you mean `leaf`?");
}

TEST(Scheme, ASurveyHasThreeShares)
{
  check_error("types.toml",
              "severity = [60, 40, 0]",
              "severity = [60, 40]",
              "types.toml:91: `severity` must be three percentages");
}

TEST(Scheme, ACountIsAnInteger)
{
  check_error("types.toml",
              "artefacts  = 29",
              "artefacts  = \"many\"",
              "types.toml:10: `artefacts` must be an integer");
}

} // namespace faultline::catalog
