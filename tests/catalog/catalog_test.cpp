#include "catalog/catalog.hpp"
#include "catalog/fault_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::catalog {

namespace fs = std::filesystem;

using testing::ElementsAre;
using testing::IsEmpty;

namespace {

class CatalogTest : public ProjectTest {
protected:
  // What load_catalog found wrong, and the ids of the faults that it could read.
  void check(const std::vector<std::string>& problems, const std::vector<std::string>& ids) const
  {
    const Catalog all = catalog();
    std::vector<std::string> lines;
    for (const Error& problem : all.problems) {
      EXPECT_EQ(problem.kind, ErrorKind::bad_data);
      lines.push_back(problem.line());
    }
    EXPECT_EQ(lines, problems);
    EXPECT_EQ(all.ids(), ids);
  }
};

} // namespace

TEST_F(CatalogTest, FaultsAreInTheOrderOfTheirIds)
{
  write_fault(javascript_fault(), "tfjs/flat-loss");
  write_fault(fault_named("b"), "pytorch/b");
  write_fault(fault_named("a"), "pytorch/a");
  check({}, {"pytorch-a", "pytorch-b", "tfjs-flat-loss"});
}

TEST_F(CatalogTest, FindsAFaultByItsId)
{
  write_fault(fault_named("a"), "pytorch/a");
  write_fault(fault_named("b"), "pytorch/b");
  const Catalog all = catalog();
  ASSERT_NE(all.find("pytorch-b"), nullptr);
  EXPECT_EQ(all.find("pytorch-b")->id, "pytorch-b");
  EXPECT_EQ(all.find("pytorch-c"), nullptr);
  EXPECT_EQ(all.find("pytorch"), nullptr);
  EXPECT_EQ(all.find(""), nullptr);
}

TEST_F(CatalogTest, ABrokenFaultDoesNotHideTheOthers)
{
  FileTree broken = fault_named("b");
  change(broken, "fault.toml", "\"dev\"", "\"training\"");
  FileTree unfit = fault_named("c");
  change(unfit, "fix.patch", "     loss.backward()", "     other()");
  write_fault(fault_named("a"), "pytorch/a");
  write_fault(broken, "pytorch/b");
  write_fault(unfit, "pytorch/c");
  write_fault(fault_named("d"), "pytorch/d");
  check({"faults/pytorch/b/fault.toml:4: unknown split `training`; it is one of dev, test",
         "faults/pytorch/c/fix.patch:7: hunk does not apply: train.py:5 is \"    "
         "loss.backward()\", the "
         "patch expects \"    other()\""},
        {"pytorch-a", "pytorch-d"});
}

TEST_F(CatalogTest, AnIdOccursOnce)
{
  write_fault(fault_named("a"), "pytorch/a");
  write_fault(fault_named("a"), "pytorch/b");
  check({"faults/pytorch/b/fault.toml:1: duplicate id `pytorch-a`, already used by "
         "faults/pytorch/a/fault.toml"},
        {"pytorch-a"});
}

TEST_F(CatalogTest, AnIdFollowsFromTheFolder)
{
  write_fault(fault_named("a"), "pytorch/z");
  check({"faults/pytorch/z/fault.toml:1: id `pytorch-a` does not follow from its folder, expected "
         "`pytorch-z`"},
        {});
}

TEST_F(CatalogTest, AFolderWithoutADescriptionIsAProblem)
{
  fs::create_directories(root() / "faults/pytorch/empty");
  write_fault(fault_named("a"), "pytorch/a");
  check({"faults/pytorch/empty:1: missing file fault.toml"}, {"pytorch-a"});
}

TEST_F(CatalogTest, ALinkedFaultIsAProblem)
{
  fs::create_directory_symlink(write_fault(fault_named("a"), "pytorch/a"),
                               root() / "faults/pytorch/b");
  check({"faults/pytorch/b:1: the fault's folder is a symbolic link"}, {"pytorch-a"});
}

TEST_F(CatalogTest, HiddenFoldersAndPlainFilesAreNoFaults)
{
  write_fault(fault_named("a"), "pytorch/a");
  fs::create_directories(root() / "faults/.cache/x");
  fs::create_directories(root() / "faults/pytorch/.cache");
  ASSERT_TRUE(write_file(root() / "faults/pytorch/README.md", "x"));
  check({}, {"pytorch-a"});
}

TEST_F(CatalogTest, ACatalogueMayBeEmpty)
{
  check({}, {});
}

TEST_F(CatalogTest, WithdrawnFaultsAreKept)
{
  FileTree files = fault_named("a");
  files["fault.toml"] +=
      "\n[withdrawn]\nversion = \"1.2\"\ndate = \"2026-03-01\"\nreason = \"Same as another.\"\n";
  write_fault(files, "pytorch/a");
  check({}, {"pytorch-a"});
}

TEST_F(CatalogTest, WithoutFaultsThereIsNothingToRead)
{
  fs::remove_all(root() / "faults");
  const Result<Catalog> all = load_catalog(root());
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().kind, ErrorKind::not_found);
  EXPECT_EQ(all.error().line(), root().string() + " has no folder faults/");
}

TEST_F(CatalogTest, WithoutSchemesThereIsNothingToCheckAgainst)
{
  fs::remove(root() / "taxonomy");
  const Result<Catalog> all = load_catalog(root());
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().line(),
            "cannot read " + (root() / "taxonomy/types.toml").string() +
                ": No such file or directory");
}

TEST_F(CatalogTest, TheRootHasFaultsAndTaxonomy)
{
  EXPECT_EQ(find_root(root()), root());
  fs::remove(root() / "taxonomy");
  EXPECT_EQ(find_root(root()), std::nullopt);
}

TEST(ProjectCatalog, LoadsWithoutAProblem)
{
  const Result<Catalog> all = load_catalog(FL_SOURCE_DIR);
  ASSERT_TRUE(all) << all.error().line();
  for (const Error& problem : all->problems) {
    ADD_FAILURE() << problem.line();
  }
  EXPECT_FALSE(all->faults.empty());
}

TEST(ProjectCatalog, HasFaultsOfEveryFrameworkAndBothSplits)
{
  const Result<Catalog> all = load_catalog(FL_SOURCE_DIR);
  ASSERT_TRUE(all);
  std::set<std::string> frameworks;
  std::set<std::string> splits;
  for (const Fault& fault : all->faults) {
    frameworks.insert(fault.framework);
    splits.insert(fault.split);
    EXPECT_EQ(fault.folder.parent_path().filename(), fault.framework) << fault.id;
  }
  EXPECT_THAT(frameworks, testing::UnorderedElementsAreArray(k_frameworks));
  EXPECT_THAT(splits, ElementsAre("dev", "test"));
}

TEST_F(CatalogTest, TheRootIsTheNearestFolderAboveWithFaultsAndTaxonomy)
{
  const fs::path deep = write_fault(fault_named("a"), "pytorch/a") / "program";
  EXPECT_EQ(find_root(deep), root());
  EXPECT_EQ(find_root(root()), root());
  fs::remove(root() / "taxonomy");
  EXPECT_EQ(find_root(deep), std::nullopt);
}

TEST_F(CatalogTest, AWrongIdDoesNotTakeThatOfAnotherFault)
{
  write_fault(fault_named("b"), "pytorch/a");
  write_fault(fault_named("b"), "pytorch/b");
  check({"faults/pytorch/a/fault.toml:1: duplicate id `pytorch-b`, already used by "
         "faults/pytorch/b/fault.toml"},
        {"pytorch-b"});
}

TEST_F(CatalogTest, AFaultLiesBelowItsFramework)
{
  write_fault(fault_named("a"), "tfjs/a");
  EXPECT_EQ(catalog().problems.size(), 1);
}

} // namespace faultline::catalog
