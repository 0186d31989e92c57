#include "catalog/fault_fixture.hpp"
#include "catalog/similarity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::catalog {

namespace {

class SimilarityTest : public ProjectTest {
protected:
  static std::vector<std::string> ids_of(const std::vector<const Fault*>& faults)
  {
    std::vector<std::string> ids;
    for (const Fault* fault : faults) {
      ids.push_back(fault->id);
    }
    return ids;
  }

  static double between(const Similarity& similarity, const Fault& a, const std::string& b)
  {
    for (const Similar& similar : similarity.of(a)) {
      if (similar.fault->id == b) {
        return similar.similarity;
      }
    }
    return 0;
  }
};

// The same change in another program: names of files and lines around it differ.
FileTree other_program(const std::string& name)
{
  FileTree files = fault_named(name);
  const std::string before = files["program/train.py"];
  files["program/train.py"] = "import torch\n\n\n" + before;
  change(files, "fault.toml", "lines = [4]", "lines = [7]");
  change(files, "fix.patch", "@@ -3,3 +3,4 @@", "@@ -6,3 +6,4 @@");
  return files;
}

// A change that has little to do with the others.
FileTree other_fix(const std::string& name)
{
  FileTree files = fault_named(name);
  files["fix.patch"] = "--- a/train.py\n"
                       "+++ b/train.py\n"
                       "@@ -7 +7,2 @@\n"
                       "-print(loss)\n"
                       "+history = [float(value.detach()) for value in losses if value > 0]\n"
                       "+print(sum(history) / len(history), max(history), file=sys.stderr)\n";
  return files;
}

} // namespace

TEST_F(SimilarityTest, FaultsWithTheSameFixAreAGroup)
{
  write_fault(fault_named("a"), "pytorch/a");
  write_fault(other_program("b"), "pytorch/b");
  write_fault(other_fix("c"), "pytorch/c");
  const Catalog all = catalog();
  ASSERT_EQ(all.faults.size(), 3);
  const Similarity similarity(all);
  EXPECT_THAT(ids_of(similarity.group_of(all.faults[0])),
              testing::ElementsAre("pytorch-a", "pytorch-b"));
  EXPECT_THAT(ids_of(similarity.group_of(all.faults[2])), testing::ElementsAre("pytorch-c"));
  EXPECT_EQ(similarity.support(all.faults[0]), 2);
  EXPECT_EQ(similarity.support(all.faults[1]), 2);
  EXPECT_EQ(similarity.support(all.faults[2]), 1);
}

TEST_F(SimilarityTest, TheSameFixHasSimilarityOne)
{
  write_fault(fault_named("a"), "pytorch/a");
  write_fault(other_program("b"), "pytorch/b");
  const Catalog all = catalog();
  const Similarity similarity(all);
  EXPECT_DOUBLE_EQ(between(similarity, all.faults[0], "pytorch-b"), 1);
}

TEST_F(SimilarityTest, IsTheSameBothWaysAndBetweenZeroAndOne)
{
  write_fault(fault_named("a"), "pytorch/a");
  write_fault(other_fix("c"), "pytorch/c");
  const Catalog all = catalog();
  const Similarity similarity(all);
  const double there = between(similarity, all.faults[0], "pytorch-c");
  EXPECT_EQ(there, between(similarity, all.faults[1], "pytorch-a"));
  EXPECT_GE(there, 0);
  EXPECT_LT(there, k_same_fix);
}

TEST_F(SimilarityTest, TheMostSimilarComesFirst)
{
  write_fault(fault_named("a"), "pytorch/a");
  write_fault(other_fix("b"), "pytorch/b");
  write_fault(other_program("c"), "pytorch/c");
  const Catalog all = catalog();
  const Similarity similarity(all);
  const std::vector<Similar> others = similarity.of(all.faults[0]);
  ASSERT_FALSE(others.empty());
  EXPECT_EQ(others.front().fault->id, "pytorch-c");
  for (const Similar& other : others) {
    EXPECT_NE(other.fault->id, "pytorch-a");
    EXPECT_GT(other.similarity, 0);
  }
}

TEST_F(SimilarityTest, AnotherTypeIsAnotherGroup)
{
  FileTree files = fault_named("b");
  change(files, "fault.toml", "api/missing-api-call", "api/wrong-api-usage");
  write_fault(fault_named("a"), "pytorch/a");
  write_fault(files, "pytorch/b");
  const Catalog all = catalog();
  const Similarity similarity(all);
  EXPECT_EQ(similarity.support(all.faults[0]), 1);
  EXPECT_DOUBLE_EQ(between(similarity, all.faults[0], "pytorch-b"), 1);
}

TEST_F(SimilarityTest, FixesInDifferentLanguagesHaveNothingInCommon)
{
  write_fault(fault_named("a"), "pytorch/a");
  write_fault(javascript_fault(), "tfjs/flat-loss");
  const Catalog all = catalog();
  ASSERT_EQ(all.faults.size(), 2);
  const Similarity similarity(all);
  EXPECT_THAT(similarity.of(all.faults[0]), testing::IsEmpty());
  EXPECT_EQ(similarity.support(all.faults[0]), 1);
  EXPECT_EQ(similarity.support(all.faults[1]), 1);
}

TEST_F(SimilarityTest, WithdrawnFaultsSupportNothing)
{
  FileTree files = fault_named("b");
  files["fault.toml"] +=
      "\n[withdrawn]\nversion = \"1.2\"\ndate = \"2026-03-01\"\nreason = \"Same as another.\"\n";
  write_fault(fault_named("a"), "pytorch/a");
  write_fault(files, "pytorch/b");
  const Catalog all = catalog();
  ASSERT_EQ(all.faults.size(), 2);
  const Similarity similarity(all);
  EXPECT_EQ(similarity.support(all.faults[0]), 1);
  EXPECT_EQ(similarity.support(all.faults[1]), 0);
  EXPECT_THAT(similarity.of(all.faults[1]), testing::IsEmpty());
  EXPECT_THAT(similarity.group_of(all.faults[1]), testing::IsEmpty());
}

TEST_F(SimilarityTest, NoFaultsAreNoGroups)
{
  const Catalog all = catalog();
  const Similarity similarity(all);
  EXPECT_EQ(similarity.support(Fault()), 0);
}

} // namespace faultline::catalog
