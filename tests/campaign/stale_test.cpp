// Whatever a campaign's answer depends on may change between two sessions. Each change is told,
// what it leaves as it was is kept, and the rest is run.

#include "base/text.hpp"
#include "campaign/recheck.hpp"
#include "campaign/session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace faultline::campaign {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

// A campaign of a few variants of a small program, in folders of its own.
class Stale : public testing::Test {
protected:
  static constexpr size_t k_variants = 5;

  void SetUp() override
  {
    m_machine = run::discover_environment(FL_SOURCE_DIR, {});
    fs::copy(fs::path(FL_TEST_DATA) / "campaign/tiny", program());
    fs::create_directory(data());
    ASSERT_TRUE(write_file(data() / "points.csv", "1,2\n"));
    change("campaign.toml", "operators  =", "data_option = \"--data\"\noperators  =");
    session();
    ASSERT_EQ(m_ran, k_variants);
    ASSERT_THAT(m_told, IsEmpty());
  }

  fs::path program() const { return m_place->path() / "program"; }
  fs::path data() const { return m_place->path() / "data"; }

  void change(const std::string& file, const std::string& from, const std::string& to) const
  {
    const Result<std::string> text = read_file(program() / file);
    ASSERT_TRUE(text);
    ASSERT_NE(text->find(from), std::string::npos) << from;
    ASSERT_TRUE(write_file(program() / file, replace_all(*text, from, to)));
  }

  // One `campaign run`: what it told, whether it planned, and how many variants it ran.
  void session()
  {
    Result<Spec> spec = load_spec(program() / "campaign.toml");
    ASSERT_TRUE(spec) << spec.error().line();
    spec->data_folder = data();
    Result<Store> store = Store::open(m_place->path() / "store");
    ASSERT_TRUE(store) << store.error().line();
    m_told.clear();
    m_said.clear();
    SessionOptions options;
    options.engine.mode = Mode::cold;
    options.workers = 2;
    options.most_variants = m_limit;
    options.version = m_version;
    options.tell = [this](std::string_view line) { m_told.emplace_back(line); };
    options.say = [this](std::string_view line) { m_said.emplace_back(line); };
    const Result<void> planned = plan_campaign(*store, *spec, m_machine, options);
    ASSERT_TRUE(planned) << planned.error().line();
    m_kept = standing_of(*store->load()).finished;
    const Result<void> ran = run_missing(*store, m_machine, options);
    ASSERT_TRUE(ran) << ran.error().line();
    const Result<Data> data = store->load();
    const Standing standing = standing_of(*data);
    ASSERT_EQ(standing.finished, standing.total);
    m_ran = standing.finished - m_kept;
    m_data = *data;
  }

  bool has_planned() const { return std::ranges::find(m_said, "variants") != m_said.end(); }

  const std::unique_ptr<TempDir> m_place = std::make_unique<TempDir>(*TempDir::create());
  run::Environment m_machine;
  std::optional<size_t> m_limit = k_variants;
  std::string m_version = "1";
  std::vector<std::string> m_told;
  std::vector<std::string> m_said;
  size_t m_kept = 0;
  size_t m_ran = 0;
  Data m_data;
};

} // namespace

TEST_F(Stale, NothingIsRunAgainWhereNothingChanged)
{
  session();
  EXPECT_THAT(m_told, IsEmpty());
  EXPECT_THAT(m_said, IsEmpty());
  EXPECT_EQ(m_kept, k_variants);
  EXPECT_EQ(m_ran, 0U);
}

TEST_F(Stale, AnotherProgramIsAnotherCampaignUntilItIsTheFirstAgain)
{
  const Data first = m_data;
  change("train.py", "offset, 0.3)", "offset, 0.001)");
  session();
  EXPECT_THAT(m_told,
              ElementsAre("changed since the last time: train.py", "0 of 5 runs still hold"));
  EXPECT_EQ(m_ran, k_variants);
  EXPECT_NE(m_data.clean[0].metrics.at("loss"), first.clean[0].metrics.at("loss"));

  change("train.py", "offset, 0.001)", "offset, 0.3)");
  session();
  EXPECT_THAT(m_told,
              ElementsAre("changed since the last time: train.py", "5 of 5 runs still hold"));
  EXPECT_EQ(m_ran, 0U);
  EXPECT_EQ(m_data.clean[0].metrics, first.clean[0].metrics);
  EXPECT_EQ(m_data.clean[0].seconds, first.clean[0].seconds); // it was not run again
}

TEST_F(Stale, AFileThatNoVariantChangesCountsToo)
{
  change("unused.py", "x * 2", "x * 3");
  session();
  EXPECT_THAT(m_told,
              ElementsAre("changed since the last time: unused.py", "0 of 5 runs still hold"));
  EXPECT_EQ(m_ran, k_variants);
  ASSERT_TRUE(write_file(program() / "points.txt", "1 2\n"));
  session();
  EXPECT_EQ(m_told.at(0), "changed since the last time: points.txt (new)");
  EXPECT_EQ(m_ran, k_variants);
  fs::remove(program() / "points.txt");
  session();
  EXPECT_EQ(m_told.at(0), "changed since the last time: points.txt (gone)");
  EXPECT_EQ(m_ran, 0U);
}

TEST_F(Stale, AVariantWhoseTextIsTheSameKeepsItsRun)
{
  // The program becomes one of its variants: the variant that undoes this is the program of before.
  m_limit = std::nullopt;
  session();
  const size_t all = m_data.variants.size();
  change("train.py", "offset -= rate * wrong\n", "offset -= rate / wrong\n");
  session();
  EXPECT_EQ(m_told.at(0), "changed since the last time: train.py");
  EXPECT_EQ(m_kept, 1U);
  EXPECT_EQ(m_ran, m_data.variants.size() - 1);
  EXPECT_EQ(m_data.variants.size(), all);
}

TEST_F(Stale, OtherDataAreAnotherCampaign)
{
  ASSERT_TRUE(write_file(data() / "points.csv", "1,3\n"));
  session();
  EXPECT_THAT(
      m_told,
      ElementsAre("changed since the last time: the data folder", "0 of 5 runs still hold"));
  EXPECT_EQ(m_ran, k_variants);
}

TEST_F(Stale, AnotherLibraryIsAnotherCampaign)
{
  m_machine.python->packages["numpy"] += ".post1";
  session();
  EXPECT_THAT(m_told, ElementsAre("changed since the last time: numpy", "0 of 5 runs still hold"));
  EXPECT_EQ(m_ran, k_variants);
  m_machine.python->version += "+";
  session();
  EXPECT_EQ(m_told.at(0), "changed since the last time: python");
  EXPECT_EQ(m_ran, k_variants);
}

TEST_F(Stale, OtherProbesAreAnotherCampaign)
{
  fs::copy(m_machine.probes, m_place->path() / "probes", fs::copy_options::recursive);
  m_machine.probes = m_place->path() / "probes";
  session();
  EXPECT_THAT(m_told, IsEmpty()); // the same probes elsewhere
  const fs::path probe = m_machine.probes / "campaign_run.py";
  ASSERT_TRUE(write_file(probe, *read_file(probe) + "# another\n"));
  session();
  EXPECT_THAT(
      m_told,
      ElementsAre("changed since the last time: Faultline's probes", "0 of 5 runs still hold"));
  EXPECT_EQ(m_ran, k_variants);
}

TEST_F(Stale, SettingsOfARunChangeAllRuns)
{
  change("campaign.toml", "[run]\n", "[run]\nmemory_mib = 1024\n");
  session();
  EXPECT_EQ(m_told.at(0), "changed since the last time: `memory_mib`");
  EXPECT_EQ(m_ran, k_variants);
  change("campaign.toml", "[run]\n", "[run]\nseed = 3\n");
  session();
  EXPECT_EQ(m_told.at(0), "changed since the last time: `seed`");
  EXPECT_EQ(m_ran, k_variants);
  change("campaign.toml", "\"{seed}\"]", "\"{seed}\", \"--again\"]");
  session();
  EXPECT_EQ(m_told.at(0), "changed since the last time: `command`");
  EXPECT_EQ(m_ran, k_variants);
}

TEST_F(Stale, MoreRepeatsAreRunInAdditionAndFewerAreCounted)
{
  change("campaign.toml", "[run]\n", "[run]\nrepeats = 2\n");
  session();
  EXPECT_THAT(m_told,
              ElementsAre("changed since the last time: `repeats`", "5 of 10 runs still hold"));
  EXPECT_FALSE(has_planned());
  EXPECT_EQ(m_ran, k_variants);
  change("campaign.toml", "[run]\nrepeats = 2", "[run]\nrepeats = 1");
  session();
  EXPECT_THAT(m_told,
              ElementsAre("changed since the last time: `repeats`", "5 of 5 runs still hold"));
  EXPECT_EQ(m_ran, 0U);
}

TEST_F(Stale, AnotherRangeJudgesTheSameRunsAnew)
{
  EXPECT_EQ(m_data.clean[0].symptom, Symptom::normal);
  change("campaign.toml", "range   = [0, 1]", "range   = [0, 0.5]");
  session();
  EXPECT_EQ(m_told.at(0), "changed since the last time: `range` or `better` of the metrics");
  EXPECT_FALSE(has_planned());
  EXPECT_EQ(m_ran, 0U);
  EXPECT_EQ(m_data.clean[0].symptom, Symptom::invalid_metric);
}

TEST_F(Stale, OtherVariantsAreAddedToThoseThatAreThere)
{
  const Data before = m_data;
  change("campaign.toml", "[\"MU001\"]", "[\"MU001\", \"MU005\"]");
  m_limit = std::nullopt;
  session();
  EXPECT_EQ(m_told.at(0), "changed since the last time: --limit, `operators`");
  EXPECT_EQ(m_kept, k_variants);
  EXPECT_EQ(m_data.clean[0].seconds, before.clean[0].seconds);
  EXPECT_GT(m_ran, k_variants);

  change("campaign.toml", "name    = \"preprocessing\"", "name    = \"reading\"");
  session();
  EXPECT_EQ(m_told.at(0), "changed since the last time: the phases");
  EXPECT_EQ(m_ran, 0U);
  bool is_renamed = false;
  for (const VariantRecord& record : m_data.variants) {
    is_renamed = is_renamed || std::ranges::find(record.phases, "reading") != record.phases.end();
    EXPECT_EQ(std::ranges::count(record.phases, "preprocessing"), 0);
  }
  EXPECT_TRUE(is_renamed);
}

TEST_F(Stale, WhatChangesNoAnswerRunsNothing)
{
  change("campaign.toml", "[run]\n", "# more\n[run]\nworkers = 1\n");
  session();
  EXPECT_THAT(m_told, IsEmpty());
  EXPECT_EQ(m_ran, 0U);
  m_version = "2"; // its operators may be others
  session();
  EXPECT_EQ(m_told.at(0), "changed since the last time: the version of faultline");
  EXPECT_TRUE(has_planned());
  EXPECT_EQ(m_ran, 0U);
}

TEST_F(Stale, TwoPhasesThatReachALineCountBoth)
{
  m_limit = std::nullopt;
  session();
  std::set<std::vector<std::string>> seen;
  for (const VariantRecord& record : m_data.variants) {
    seen.insert(record.phases);
  }
  EXPECT_TRUE(seen.contains({"preprocessing"})); // in load()
  EXPECT_TRUE(seen.contains({"learning"}));      // in epoch()
  change("campaign.toml", "regions = [\"train.py:epoch\"]", "regions = [\"train.py:main\"]");
  change("train.py", "points = load(seed)", "points = load(seed); epoch(load(1), 0, 0, 0)");
  change("campaign.toml",
         "regions = [\"train.py:load\"]",
         "regions = [\"train.py:load\", \"train.py:24\"]");
  session();
  seen.clear();
  for (const VariantRecord& record : m_data.variants) {
    seen.insert(record.phases);
  }
  EXPECT_TRUE(seen.contains({"preprocessing", "learning"})); // epoch() is called from both
}

TEST_F(Stale, RecheckRefusesToCompareWithAnotherProgram)
{
  change("train.py", "offset, 0.3)", "offset, 0.2)");
  Result<Store> store = Store::open(m_place->path() / "store");
  const auto checked = recheck(*store, m_machine, {}, {"", 1, 1});
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message,
            "changed since the campaign was planned: train.py; `faultline campaign resume` brings "
            "it up to date");
}

} // namespace faultline::campaign
