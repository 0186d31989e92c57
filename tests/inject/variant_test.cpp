#include "inject/selection.hpp"
#include "inject/variant.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace faultline::inject {

namespace fs = std::filesystem;

namespace {

Selection select(const std::vector<std::string>& words)
{
  Selection selection;
  selection.operators = *select_operators(words);
  return selection;
}

std::vector<std::string> ids_of(const std::vector<Variant>& variants)
{
  std::vector<std::string> ids;
  for (const Variant& variant : variants) {
    ids.push_back(variant.id);
  }
  return ids;
}

// The text of `variant`, parsed from nothing.
void expect_good(const Variant& variant, const FileTree& files)
{
  const Result<std::string> changed = changed_text(variant, files);
  ASSERT_TRUE(changed) << changed.error().line();
  EXPECT_NE(*changed, files.at(variant.file)) << variant.id;
  EXPECT_FALSE(source::SyntaxTree::parse(*changed, source::Language::python).root().has_error())
      << variant.id << " of " << variant.file << ":" << variant.line << ": " << variant.before
      << " → " << variant.after;
}

// The torch.nn of Debian's package; empty where it is not installed.
FileTree torch_nn()
{
  FileTree files;
  const fs::path folder = "/usr/lib/python3/dist-packages/torch/nn";
  std::error_code code;
  for (const auto& entry : fs::recursive_directory_iterator(folder, code)) {
    if (entry.is_regular_file() && entry.path().extension() == ".py") {
      files[entry.path().lexically_relative(folder).string()] = *read_file(entry.path());
    }
  }
  return files;
}

const FileTree k_files = {
    {"a.py", "x = 1 + 2\nif x > 3 and not y:\n    x += 1\n"},
    {"b/c.py", "flag = True\nwhile flag in z:\n    x = y = 5 * 6\n"},
    {"notes.txt", "1 + 1\n"},
};

} // namespace

TEST(Variant, IsOrderedByFileLineAndOperator)
{
  std::vector<std::string> seen;
  for (const Variant& variant : make_variants(k_files, select({"source"}))) {
    seen.push_back(variant.file + ":" + std::to_string(variant.line) + ":" +
                   std::to_string(variant.column) + " " + variant.op + " " + variant.before +
                   " > " + variant.after);
  }
  EXPECT_THAT(seen,
              testing::ElementsAre("a.py:1:7 MU001 + > -",
                                   "a.py:1:5 MU008 1 > 2",
                                   "a.py:1:9 MU008 2 > 3",
                                   "a.py:2:6 MU003 > > >=",
                                   "a.py:2:10 MU004 and > or",
                                   "a.py:2:14 MU004 not > ",
                                   "a.py:2:8 MU008 3 > 4",
                                   "a.py:3:7 MU005 += > -=",
                                   "a.py:3:7 MU005 += > =",
                                   "a.py:3:10 MU008 1 > 2",
                                   "b/c.py:1:8 MU007 True > False",
                                   "b/c.py:2:12 MU006 in > not in",
                                   "b/c.py:3:15 MU001 * > /",
                                   "b/c.py:3:13 MU008 5 > 6",
                                   "b/c.py:3:17 MU008 6 > 7"));
}

TEST(Variant, HasAnIdThatDependsOnNothingElse)
{
  const std::vector<Variant> all = make_variants(k_files, select({"source"}));
  const std::vector<Variant> some = make_variants(k_files, select({"MU003"}));
  ASSERT_EQ(some.size(), 1U);
  EXPECT_THAT(some.front().id, testing::MatchesRegex("MU003-[0-9a-f]{8}"));
  EXPECT_THAT(ids_of(all), testing::Contains(some.front().id));
  EXPECT_EQ(ids_of(all), ids_of(make_variants(k_files, select({"source"}))));
}

TEST(Variant, KeepsToCoveredLines)
{
  Selection selection = select({"source"});
  selection.covered = {{"a.py", {2}}};
  for (const Variant& variant : make_variants(k_files, selection)) {
    EXPECT_EQ(variant.file, "a.py");
    EXPECT_EQ(variant.line, 2U);
  }
  EXPECT_EQ(make_variants(k_files, selection).size(), 4U);
  selection.covered->clear();
  EXPECT_TRUE(make_variants(k_files, selection).empty());
}

TEST(Variant, CapsEachFileByASeededChoice)
{
  Selection selection = select({"source"});
  const std::vector<std::string> all = ids_of(make_variants(k_files, selection));
  selection.per_file = 3;
  const std::vector<Variant> chosen = make_variants(k_files, selection);
  EXPECT_EQ(chosen.size(), 6U);
  EXPECT_EQ(ids_of(chosen), ids_of(make_variants(k_files, selection)));
  // In the order of all.
  size_t at = 0;
  for (const std::string& id : ids_of(chosen)) {
    const size_t found = static_cast<size_t>(std::ranges::find(all, id) - all.begin());
    ASSERT_LT(found, all.size());
    EXPECT_GE(found, at);
    at = found + 1;
  }
  // Another seed is another choice; other files change nothing.
  Selection other = selection;
  other.seed = 2;
  EXPECT_NE(ids_of(chosen), ids_of(make_variants(k_files, other)));
  FileTree one = k_files;
  one.erase("b/c.py");
  const std::vector<std::string> ids = ids_of(chosen);
  EXPECT_EQ(ids_of(make_variants(one, selection)),
            std::vector<std::string>(ids.begin(), ids.begin() + 3));
  selection.per_file = 1000;
  EXPECT_EQ(ids_of(make_variants(k_files, selection)), all);
}

TEST(Variant, ChoosesEveryCandidateSometimes)
{
  std::set<std::string> seen;
  Selection selection = select({"source"});
  selection.per_file = 2;
  for (selection.seed = 1; selection.seed <= 60; ++selection.seed) {
    for (const std::string& id : ids_of(make_variants(k_files, selection))) {
      seen.insert(id);
    }
  }
  EXPECT_EQ(seen.size(), 15U);
}

TEST(Variant, NotesTheLibraryItIsOf)
{
  for (const Variant& variant : make_variants(k_files, select({"source"}), "torch.nn")) {
    EXPECT_EQ(variant.library, "torch.nn");
  }
}

TEST(Variant, ChangesBrokenCodeWhereItIsWhole)
{
  const FileTree files = {{"a.py", "def f(:\n    return 1 + \n\nx = a * b\n"}};
  const std::vector<Variant> variants = make_variants(files, select({"MU001"}));
  EXPECT_TRUE(std::ranges::any_of(variants, [](const Variant& v) { return v.before == "*"; }));
  const size_t errors =
      source::SyntaxTree::parse(files.at("a.py"), source::Language::python).errors().size();
  for (const Variant& variant : variants) {
    EXPECT_LE(source::SyntaxTree::parse(*changed_text(variant, files), source::Language::python)
                  .errors()
                  .size(),
              errors);
  }
}

TEST(Variant, OfAnotherTextIsAnError)
{
  Variant variant = make_variants(k_files, select({"MU003"})).front();
  const Result<std::string> gone = changed_text(variant, {});
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().line(), "variant " + variant.id + " is of a.py, which is not there");
  EXPECT_FALSE(changed_text(variant, {{"a.py", "x"}}));
}

TEST(Variant, OfTorchNnAlwaysParses)
{
  const FileTree files = torch_nn();
  if (files.empty()) {
    GTEST_SKIP() << "no torch of Debian here";
  }
  const std::vector<Variant> variants = make_variants(files, select({"source"}), "torch.nn");
  EXPECT_GT(variants.size(), 4000U);
  std::vector<std::string> ids = ids_of(variants);
  std::ranges::sort(ids);
  EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
  std::set<std::pair<std::string, std::vector<std::string>>> seen;
  for (const Variant& variant : variants) {
    std::vector<std::string> edits;
    for (const source::Edit& edit : variant.edits) {
      edits.push_back(std::to_string(edit.begin) + "-" + std::to_string(edit.end) + edit.text);
    }
    EXPECT_TRUE(seen.emplace(variant.file, edits).second) << variant.id;
  }
  // Parsing from nothing takes its time in large files: every seventh.
  for (size_t i = 0; i < variants.size(); i += 7) {
    expect_good(variants[i], files);
  }
}

} // namespace faultline::inject
