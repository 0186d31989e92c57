#include "base/gzip.hpp"
#include "base/json.hpp"
#include "base/sqlite.hpp"
#include "catalog/entry_index.hpp"
#include "catalog/fault_detail.hpp"
#include "catalog/fault_fixture.hpp"
#include "catalog/fault_json.hpp"
#include "catalog/similarity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace faultline::catalog {

namespace fs = std::filesystem;

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

class EntryIndexTest : public ProjectTest {
protected:
  void SetUp() override
  {
    ProjectTest::SetUp();
    reopen();
  }

  void reopen()
  {
    m_index.reset();
    Result<std::unique_ptr<EntryIndex>> opened = EntryIndex::open(root() / "home/entries.sqlite");
    ASSERT_TRUE(opened) << opened.error().line();
    m_index = *std::move(opened);
  }

  RefreshReport refresh(RefreshOptions options = {})
  {
    const Result<RefreshReport> report = m_index->refresh(root(), project_schemes(), options);
    EXPECT_TRUE(report) << report.error().line();
    return report ? *report : RefreshReport();
  }

  std::vector<std::string> ids(const EntryQuery& query) const
  {
    Result<std::vector<std::string>> found = m_index->ids(query);
    EXPECT_TRUE(found) << found.error().line();
    return found ? *std::move(found) : std::vector<std::string>();
  }

  EntryPage page(const EntryQuery& query) const
  {
    Result<EntryPage> found = m_index->query(query);
    EXPECT_TRUE(found) << found.error().line();
    return found ? *std::move(found) : EntryPage();
  }

  // "value=count" of a facet.
  static std::vector<std::string> counts(const EntryPage& page, const std::string& facet)
  {
    std::vector<std::string> lines;
    for (const auto& [name, list] : page.facets) {
      for (const FacetCount& count : list) {
        if (name == facet) {
          lines.push_back(count.value + "=" + std::to_string(count.count));
        }
      }
    }
    return lines;
  }

  static EntryQuery words(const std::string& text)
  {
    EntryQuery query;
    query.words = text;
    return query;
  }

  EntryIndex& index() { return *m_index; }

private:
  std::unique_ptr<EntryIndex> m_index;
};

FileTree fault_of_split(const std::string& name, const std::string& split)
{
  FileTree files = fault_named(name);
  change(files, "fault.toml", "\"dev\"", "\"" + split + "\"");
  return files;
}

} // namespace

TEST_F(EntryIndexTest, AnUnchangedFolderIsReadOnce)
{
  write_fault(fault_named("a"), "pytorch/a");
  write_fault(fault_named("b"), "pytorch/b");
  EXPECT_EQ(refresh().read, 2U);
  EXPECT_EQ(refresh().read, 0U);
  reopen();
  EXPECT_EQ(refresh().read, 0U);
  EXPECT_EQ(index().size(), 2U);
  EXPECT_THAT(ids({}), ElementsAre("pytorch-a", "pytorch-b"));
}

TEST_F(EntryIndexTest, ChangesAndRemovalsAreNoticed)
{
  write_fault(fault_named("a"), "pytorch/a");
  write_fault(fault_named("b"), "pytorch/b");
  refresh();
  FileTree changed = fault_named("a");
  change(changed, "fault.toml", "Loss stays flat", "Accuracy is zebra-striped");
  write_fault(changed, "pytorch/a");
  fs::remove_all(root() / "faults/pytorch/b");
  const RefreshReport report = refresh();
  EXPECT_EQ(report.read, 1U);
  EXPECT_EQ(report.removed, 1U);
  EXPECT_THAT(ids({}), ElementsAre("pytorch-a"));
  EXPECT_THAT(ids(words("zebra")), ElementsAre("pytorch-a"));
  EXPECT_THAT(ids(words("stays")), IsEmpty()) << "the old words are nobody's";
  EXPECT_FALSE(index().detail("pytorch-b")->has_value());
}

TEST_F(EntryIndexTest, ABrokenFolderIsAProblemUntilItIsMended)
{
  FileTree broken = fault_named("b");
  change(broken, "fault.toml", "\"dev\"", "\"training\"");
  write_fault(fault_named("a"), "pytorch/a");
  write_fault(broken, "pytorch/b");
  write_fault(fault_named("elsewhere"), "pytorch/c");
  refresh();
  EXPECT_EQ(
      index().problems(), catalog().problems.empty() ? std::vector<std::string>() : [this] {
        std::vector<std::string> lines;
        for (const Error& problem : catalog().problems) {
          lines.push_back(problem.line());
        }
        return lines;
      }());
  EXPECT_EQ(index().problems().size(), 2U);
  EXPECT_EQ(refresh().read, 0U) << "a broken folder is not read again and again";
  write_fault(fault_named("b"), "pytorch/b");
  fs::remove_all(root() / "faults/pytorch/c");
  refresh();
  EXPECT_THAT(index().problems(), IsEmpty());
  EXPECT_THAT(ids({}), ElementsAre("pytorch-a", "pytorch-b"));
}

TEST_F(EntryIndexTest, ItSaysWhatTheCatalogueSays)
{
  write_fault(fault_named("a"), "pytorch/a");
  write_fault(fault_named("b"), "pytorch/b");
  write_fault(javascript_fault(), "tfjs/flat-loss");
  FileTree two = two_part_fault();
  change(two, "fault.toml", "pytorch-flat-loss", "pytorch-two");
  write_fault(two, "pytorch/two");
  refresh();
  const Catalog all = catalog();
  const Similarity similarity(all);
  const EntryPage found = page({});
  ASSERT_EQ(found.items.size(), all.faults.size());
  for (size_t i = 0; i < all.faults.size(); ++i) {
    const Fault& fault = all.faults[i];
    Json expected = summary_json(fault, similarity.support(fault));
    expected["proved"] = nullptr;
    EXPECT_EQ(parse_json(found.items[i]), expected);
    const Result<std::optional<std::string>> detail = index().detail(fault.id);
    ASSERT_TRUE(detail && *detail);
    EXPECT_EQ(parse_json(*gunzip(**detail, 1 << 20)),
              detail_json(fault, similarity.support(fault)));
    EXPECT_EQ(**index().folder_of(fault.id), fault.folder);
  }
}

TEST_F(EntryIndexTest, AFacetCountsWithAllFiltersButItsOwn)
{
  write_fault(fault_of_split("a", "dev"), "pytorch/a");
  write_fault(fault_of_split("b", "test"), "pytorch/b");
  write_fault(fault_of_split("c", "test"), "pytorch/c");
  write_fault(javascript_fault(), "tfjs/flat-loss");
  refresh();
  EntryQuery query;
  query.filters["split"] = {"test"};
  query.filters["framework"] = {"pytorch"};
  const EntryPage found = page(query);
  EXPECT_EQ(found.total, 2U);
  EXPECT_THAT(counts(found, "split"), ElementsAre("test=2", "dev=1"));
  EXPECT_THAT(counts(found, "framework"), ElementsAre("pytorch=2"));
  EXPECT_THAT(counts(found, "language"), ElementsAre("python=2"));
  query.filters["framework"] = {"tfjs"};
  EXPECT_THAT(counts(page(query), "framework"), ElementsAre("pytorch=2", "tfjs=0"));
  query.filters["framework"] = {"tfjs", "pytorch"};
  query.filters.erase("split");
  EXPECT_EQ(page(query).total, 4U);
}

TEST_F(EntryIndexTest, ATypeMatchesEverythingBelowIt)
{
  write_fault(fault_named("a"), "pytorch/a");
  refresh();
  EntryQuery query;
  query.filters["type"] = {"api"};
  EXPECT_THAT(ids(query), ElementsAre("pytorch-a"));
  EXPECT_THAT(counts(page(query), "type"), ElementsAre("api=1", "api/missing-api-call=1"));
  query.filters["type"] = {"model"};
  EXPECT_THAT(ids(query), IsEmpty());
}

TEST_F(EntryIndexTest, CountsAgainHowManyShareAFixIfItWasStoppedBefore)
{
  write_fault(fault_named("a"), "pytorch/a");
  write_fault(fault_named("b"), "pytorch/b");
  EXPECT_TRUE(refresh().counted);
  EXPECT_FALSE(refresh().counted);
  {
    Result<Database> database = Database::open(root() / "home/entries.sqlite");
    ASSERT_TRUE(database);
    ASSERT_TRUE(
        database->execute("UPDATE entry SET support = 1; INSERT INTO uncounted VALUES (0)"));
  }
  const RefreshReport report = refresh();
  EXPECT_EQ(report.read, 0U);
  EXPECT_TRUE(report.counted);
  EXPECT_THAT(page({}).items, Each(HasSubstr("\"support\":2")));
}

TEST_F(EntryIndexTest, PagesAndOrders)
{
  for (const std::string name : {"a", "b", "c", "d"}) {
    FileTree files = fault_of_split(name, name < "c" ? "test" : "dev");
    change(files,
           "fault.toml",
           "Loss stays flat",
           std::string("Title ") + static_cast<char>('z' - name[0] + 'a'));
    write_fault(files, "pytorch/" + name);
  }
  refresh();
  EntryQuery query;
  query.sort = "title";
  EXPECT_THAT(ids(query), ElementsAre("pytorch-d", "pytorch-c", "pytorch-b", "pytorch-a"));
  query.descending = true;
  EXPECT_THAT(ids(query), ElementsAre("pytorch-a", "pytorch-b", "pytorch-c", "pytorch-d"));
  query.sort = "split";
  query.descending = false;
  EXPECT_THAT(ids(query), ElementsAre("pytorch-c", "pytorch-d", "pytorch-a", "pytorch-b"));
  query.sort = "id";
  query.offset = 1;
  query.limit = 2;
  const EntryPage found = page(query);
  EXPECT_EQ(found.total, 4U);
  ASSERT_EQ(found.items.size(), 2U);
  EXPECT_EQ(parse_json(found.items[0])["id"], "pytorch-b");
  query.offset = 100;
  EXPECT_THAT(page(query).items, IsEmpty());
}

TEST_F(EntryIndexTest, WordsAreSearchedForAsStarts)
{
  write_fault(fault_named("a"), "pytorch/a");
  FileTree other = fault_named("b");
  change(other, "fault.toml", "Loss stays flat", "Softmax comes twice");
  write_fault(other, "pytorch/b");
  refresh();
  EXPECT_THAT(ids(words("softm")), ElementsAre("pytorch-b"));
  EXPECT_THAT(ids(words("optimizer zero")), ElementsAre("pytorch-a", "pytorch-b"));
  EXPECT_THAT(ids(words("softmax nowhere")), IsEmpty());
  EXPECT_EQ(ids(words(" ,. ")).size(), 2U) << "without a word nothing is left out";
  EXPECT_THAT(ids(words("\" OR * NEAR( ' -- ; DROP TABLE entry")), IsEmpty());
  EntryQuery query = words("loss");
  query.sort = "relevance";
  EXPECT_THAT(ids(query), ElementsAre("pytorch-a", "pytorch-b")) << "the title weighs more";
}

TEST_F(EntryIndexTest, HostileValuesAreOnlyValues)
{
  write_fault(fault_named("a"), "pytorch/a");
  refresh();
  const std::string attack = "' OR 1=1; DROP TABLE entry; --";
  EXPECT_FALSE(index().detail(attack)->has_value());
  EXPECT_FALSE(index().folder_of(attack)->has_value());
  EXPECT_THAT(*index().related(attack, 5), IsEmpty());
  EntryQuery query;
  query.filters["dataset"] = {attack};
  query.filters["no such facet"] = {attack};
  EXPECT_THAT(ids(query), IsEmpty());
  EXPECT_EQ(index().size(), 1U);
}

TEST_F(EntryIndexTest, WithdrawnEntriesAreKeptButDoNotCount)
{
  FileTree old = fault_named("old");
  old["fault.toml"] +=
      "\n[withdrawn]\nversion = \"0.2.0\"\ndate = \"2026-03-01\"\nreason  = \"Was no fault.\"\n";
  write_fault(old, "pytorch/old");
  write_fault(fault_named("a"), "pytorch/a");
  refresh();
  EXPECT_EQ(index().size(), 1U);
  EntryQuery query;
  query.filters["status"] = {"active"};
  EXPECT_THAT(ids(query), ElementsAre("pytorch-a"));
  query.filters["status"] = {"withdrawn"};
  EXPECT_THAT(ids(query), ElementsAre("pytorch-old"));
}

TEST_F(EntryIndexTest, ProofsMarkTheContentThatTheyAreAbout)
{
  write_fault(fault_named("a"), "pytorch/a");
  write_fault(fault_named("b"), "pytorch/b");
  write_fault(fault_named("c"), "pytorch/c");
  write_fault(fault_named("r"), "pytorch/r");
  RefreshOptions options;
  options.digest = [](const Fault& fault) { return "digest of " + fault.id; };
  refresh(options);
  ASSERT_TRUE(index().set_proved({{"pytorch-a", "digest of pytorch-a", Proved::here},
                                  {"pytorch-b", "of an older content", Proved::here},
                                  {"pytorch-c", "digest of pytorch-c", Proved::no},
                                  {"pytorch-r", "digest of pytorch-r", Proved::recorded},
                                  {"pytorch-a", "of an older content", Proved::recorded}}));
  EntryQuery query;
  query.sort = "proved";
  query.descending = true;
  EXPECT_THAT(ids(query), ElementsAre("pytorch-a", "pytorch-r", "pytorch-c", "pytorch-b"));
  const EntryPage found = page(query);
  EXPECT_EQ(parse_json(found.items[0])["proved"], true);
  EXPECT_EQ(parse_json(found.items[0])["proved_by"], "here");
  EXPECT_EQ(parse_json(found.items[1])["proved"], true);
  EXPECT_EQ(parse_json(found.items[1])["proved_by"], "record");
  EXPECT_EQ(parse_json(found.items[2])["proved"], false);
  EXPECT_TRUE(parse_json(found.items[3])["proved"].is_null());
  EXPECT_TRUE(parse_json(found.items[3])["proved_by"].is_null());
  write_fault(fault_named("d"), "pytorch/d");
  refresh(options);
  EXPECT_EQ(parse_json(page(query).items[0])["proved"], true) << "marks outlive a refresh";
}

TEST_F(EntryIndexTest, RelatedEntriesShareLabels)
{
  write_fault(fault_named("a"), "pytorch/a");
  write_fault(fault_named("b"), "pytorch/b");
  FileTree other = fault_named("c");
  change(other, "fault.toml", "api/missing-api-call", "api/wrong-api-usage");
  write_fault(other, "pytorch/c");
  write_fault(javascript_fault(), "tfjs/flat-loss");
  refresh();
  EXPECT_THAT(*index().related("pytorch-a", 5), ElementsAre("pytorch-b", "pytorch-c"));
  EXPECT_THAT(*index().related("pytorch-a", 1), ElementsAre("pytorch-b"));
  EXPECT_EQ(*index().did_you_mean("pytorch-aa"), ", did you mean `pytorch-a`?");
}

TEST_F(EntryIndexTest, WhatWasReadBeforeAStopIsKept)
{
  for (int i = 0; i < 20; ++i) {
    const std::string name = "n" + std::to_string(100 + i);
    write_fault(fault_named(name), "pytorch/" + name);
  }
  RefreshOptions options;
  int asked = 0;
  options.stop = [&asked] { return ++asked > 8; };
  const RefreshReport first = refresh(options);
  EXPECT_EQ(first.read, 8U);
  reopen();
  EXPECT_EQ(index().size(), 8U);
  EXPECT_EQ(refresh().read, 12U);
  EXPECT_EQ(index().size(), 20U);
}

TEST_F(EntryIndexTest, AnotherProjectStartsAnew)
{
  write_fault(fault_named("a"), "pytorch/a");
  refresh();
  const Result<TempDir> other = TempDir::create();
  ASSERT_TRUE(other);
  fs::create_directories(other->path() / "faults");
  EXPECT_TRUE(*index().is_of(root(), project_schemes()));
  EXPECT_FALSE(*index().is_of(other->path(), project_schemes()));
  ASSERT_TRUE(index().refresh(other->path(), project_schemes(), {}));
  EXPECT_EQ(index().size(), 0U);
}

TEST_F(EntryIndexTest, QuestionsAreAnsweredWhileItIsRefreshed)
{
  for (int i = 0; i < 30; ++i) {
    const std::string name = "n" + std::to_string(100 + i);
    write_fault(fault_named(name), "pytorch/" + name);
  }
  refresh();
  std::atomic<bool> stop = false;
  std::vector<std::thread> askers;
  for (int i = 0; i < 8; ++i) {
    askers.emplace_back([this, &stop] {
      while (!stop) {
        EXPECT_EQ(page({}).items.size(), 30U);
        EXPECT_EQ(page(words("loss")).total, 30U);
        EXPECT_TRUE(index().detail("pytorch-n105")->has_value());
      }
    });
  }
  RefreshOptions options;
  options.threads = 2;
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 30; ++i) {
      const std::string name = "n" + std::to_string(100 + i);
      FileTree files = fault_named(name);
      change(files, "fault.toml", "stays flat", "stays flat " + std::to_string(round));
      write_fault(files, "pytorch/" + name);
    }
    refresh(options);
  }
  stop = true;
  for (std::thread& asker : askers) {
    asker.join();
  }
}

} // namespace faultline::catalog
