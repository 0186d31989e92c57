#include "catalog/fault_fixture.hpp"
#include "catalog/text_index.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::catalog {

using testing::ElementsAre;
using testing::IsEmpty;

namespace {

Fault fault_of(const std::string& id, const std::string& title, const std::string& summary)
{
  Fault fault;
  fault.id = id;
  fault.title = title;
  fault.summary = summary;
  fault.parts.emplace_back();
  fault.parts.front().labels.values[3] = "crash";
  fault.program = {{"train.py", "loss = cross_entropy(x)\n"}};
  return fault;
}

Catalog small_catalog()
{
  Catalog catalog;
  catalog.faults = {
      fault_of("pytorch-a", "Gradient explodes", "The rate is too high; déjà vu."),
      fault_of(
          "pytorch-b", "Softmax before the loss", "The gradient vanishes. AND it is \"quoted\"."),
      fault_of("pytorch-c", "Shuffled labels", "Nothing is learnt."),
  };
  catalog.faults[2].program = {{"main.py", "labels = sorted(labels)\n"}};
  return catalog;
}

std::vector<std::string> found(TextIndex& index, const std::string& words)
{
  const Result<std::vector<std::string>> ids = index.search(words);
  EXPECT_TRUE(ids) << words << ": " << ids.error().line();
  return ids ? *ids : std::vector<std::string>{"failed"};
}

std::vector<std::string> search(const std::string& words)
{
  Result<TextIndex> index = TextIndex::open(":memory:", small_catalog());
  EXPECT_TRUE(index) << index.error().line();
  return found(*index, words);
}

} // namespace

TEST(TextIndex, FindsAWordInTitleSummaryProgramAndLabels)
{
  EXPECT_THAT(search("explodes"), ElementsAre("pytorch-a"));
  EXPECT_THAT(search("learnt"), ElementsAre("pytorch-c"));
  EXPECT_THAT(search("sorted"), ElementsAre("pytorch-c"));
  EXPECT_THAT(search("crash"),
              testing::UnorderedElementsAre("pytorch-a", "pytorch-b", "pytorch-c"));
}

TEST(TextIndex, FindsAnId)
{
  EXPECT_THAT(search("pytorch-b"), ElementsAre("pytorch-b"));
}

TEST(TextIndex, QuotesAndOperatorsAreHarmless)
{
  for (const char* words : {"\"",
                            "\"\"",
                            "\"quoted",
                            "quoted\"",
                            "quo*",
                            "^quoted",
                            "(",
                            "quoted)",
                            "-",
                            "'",
                            "+",
                            "AND",
                            "NOT",
                            "a\"b\"c",
                            "{title}:x",
                            "\xFF"}) {
    search(words);
  }
  EXPECT_THAT(search("\"quoted\""), ElementsAre("pytorch-b"));
  EXPECT_THAT(search("OR"), IsEmpty());
  EXPECT_THAT(search("title:gradient"), IsEmpty());
}

TEST(TextIndex, AWordMatchesLongerOnesThatStartWithIt)
{
  EXPECT_THAT(search("explo"), ElementsAre("pytorch-a"));
  EXPECT_THAT(search("plodes"), IsEmpty());
}

TEST(TextIndex, CaseAndAccentsDoNotMatter)
{
  EXPECT_THAT(search("EXPLODES"), ElementsAre("pytorch-a"));
  EXPECT_THAT(search("deja"), ElementsAre("pytorch-a"));
}

TEST(TextIndex, ATitleWeighsMoreThanASummary)
{
  EXPECT_THAT(search("gradient"), ElementsAre("pytorch-a", "pytorch-b"));
  EXPECT_THAT(search("loss"), ElementsAre("pytorch-b", "pytorch-a"));
}

TEST(TextIndex, IsFilledAnewWhenTheCatalogueChanged)
{
  const Result<TempDir> folder = TempDir::create();
  ASSERT_TRUE(folder);
  Catalog catalog = small_catalog();
  {
    Result<TextIndex> index = TextIndex::open(folder->path() / "index.db", catalog);
    ASSERT_TRUE(index) << index.error().line();
    EXPECT_THAT(found(*index, "explodes"), ElementsAre("pytorch-a"));
  }
  catalog.faults[0].title = "Gradient implodes";
  catalog.faults.pop_back();
  Result<TextIndex> index = TextIndex::open(folder->path() / "index.db", catalog);
  ASSERT_TRUE(index) << index.error().line();
  EXPECT_THAT(found(*index, "explodes"), IsEmpty());
  EXPECT_THAT(found(*index, "implodes"), ElementsAre("pytorch-a"));
  EXPECT_THAT(found(*index, "learnt"), IsEmpty());
}

TEST(TextIndex, IsKeptWhileTheCatalogueStaysTheSame)
{
  const Result<TempDir> folder = TempDir::create();
  ASSERT_TRUE(folder);
  const std::filesystem::path path = folder->path() / "index.db";
  ASSERT_TRUE(TextIndex::open(path, small_catalog()));
  {
    Result<Database> database = Database::open(path);
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->execute("DELETE FROM faults"));
  }
  Result<TextIndex> index = TextIndex::open(path, small_catalog());
  ASSERT_TRUE(index) << index.error().line();
  EXPECT_THAT(found(*index, "explodes"), IsEmpty());
}

TEST(TextIndex, AnEmptyCatalogueHasNothingToFind)
{
  Result<TextIndex> index = TextIndex::open(":memory:", Catalog());
  ASSERT_TRUE(index) << index.error().line();
  EXPECT_THAT(found(*index, "loss"), IsEmpty());
}

TEST(TextIndex, EveryWordMustOccur)
{
  EXPECT_THAT(search("gradient softmax"), ElementsAre("pytorch-b"));
  EXPECT_THAT(search("softmax gradient"), ElementsAre("pytorch-b"));
  EXPECT_THAT(search("gradient nowhere"), IsEmpty());
}

TEST(TextIndex, OperatorsAreWords)
{
  EXPECT_THAT(search("AND quoted"), ElementsAre("pytorch-b"));
  EXPECT_THAT(search("softmax OR explodes"), IsEmpty());
  EXPECT_THAT(search("gradient NOT softmax"), IsEmpty());
  EXPECT_THAT(search("title:gradient"), IsEmpty());
}

TEST(TextIndex, NothingThatAUserTypesIsSyntax)
{
  for (const char* words : {"\"",
                            "\"\"",
                            "\"quoted",
                            "quoted\"",
                            "quo*",
                            "(",
                            "quoted)",
                            "^quoted",
                            "-",
                            "'",
                            "a\"b\"c",
                            "NEAR(a b)",
                            "{title}:x",
                            "+",
                            "; DROP TABLE faults; --",
                            "\n",
                            "\t",
                            "",
                            "\xFF"}) {
    search(words);
  }
  EXPECT_THAT(search("\"quoted\""), ElementsAre("pytorch-b"));
  EXPECT_THAT(search("cross_entropy(x)"), ElementsAre("pytorch-a", "pytorch-b"));
}

TEST(TextIndex, LinesAreWordsToo)
{
  EXPECT_THAT(search("gradient\nsoftmax"), ElementsAre("pytorch-b"));
}

} // namespace faultline::catalog
