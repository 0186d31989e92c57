#include "base/format.hpp"
#include "campaign/store.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <thread>

namespace faultline::campaign {

static Data plan_of(size_t variants, int repeats = 1)
{
  Data data;
  const Result<Spec> spec =
      load_spec(std::filesystem::path(FL_TEST_DATA) / "campaign/tiny/campaign.toml");
  EXPECT_TRUE(spec) << spec.error().line();
  data.spec = *spec;
  data.spec.repeats = repeats;
  data.started = "2026-01-02T03:04:05Z";
  data.machine = "1 × Test, 1 GiB, Linux";
  data.versions = {{"python", "3.11"}};
  data.settings = {{"mode", "cold"}};
  data.clean_address = "address of ";
  for (size_t i = 0; i < variants; ++i) {
    VariantRecord record;
    record.variant.id = format("MU001-{:08x}", i);
    record.variant.op = "MU001";
    record.variant.file = "train.py";
    record.variant.line = i + 1;
    record.variant.column = 5;
    record.variant.before = "a \xff b"; // bytes that are no UTF-8 come back, too
    record.variant.after = "a - b";
    record.variant.edits = {{i, i + 1, "-"}, {i + 9, i + 10, "\n\"'"}};
    record.phases = {"preprocessing", "learning"};
    record.address = "address of " + record.variant.id;
    data.variants.push_back(std::move(record));
  }
  return data;
}

static Run run_of(const std::string& variant, int repeat = 0)
{
  Run run;
  run.variant = variant;
  run.repeat = repeat;
  run.symptom = Symptom::not_a_number;
  run.start = Start::defaults;
  run.decision = Decision::same_state;
  run.crash = Crash{"ValueError", "it's \xff", "model.py", 7, "forward", "x + y"};
  run.metrics = {{"a", NAN}, {"b", -INFINITY}, {"c", 0.1 + 0.2}, {"d", 5e-324}, {"e", -0.0}};
  run.seconds = 1.0 / 3;
  run.cpu_seconds = 0.25;
  run.spent_seconds = 0.125;
  run.memory_kib = 123456;
  run.checkpoints = 3;
  return run;
}

static Result<void> put(Store& store, const Run& run, std::string_view log)
{
  return store.put("address of " + run.variant, run, log);
}

TEST(CampaignStore, TellsHowFarItIsWithoutItsVariants)
{
  const Result<TempDir> place = TempDir::create();
  Result<Store> store = Store::open(place->path() / "c");
  ASSERT_TRUE(store->put_plan(plan_of(3, 2)));
  ASSERT_TRUE(put(*store, run_of("MU001-00000000", 0), ""));
  ASSERT_TRUE(put(*store, run_of("MU001-00000000", 1), ""));
  ASSERT_TRUE(put(*store, run_of(""), "clean\n"));
  const Result<Overview> overview = store->overview();
  ASSERT_TRUE(overview) << overview.error().line();
  EXPECT_EQ(overview->name, "Tiny");
  EXPECT_EQ(overview->started, "2026-01-02T03:04:05Z");
  EXPECT_EQ(overview->finished, "");
  EXPECT_EQ(overview->variants, 3U);
  EXPECT_EQ(overview->runs, 2U);
  EXPECT_EQ(overview->total_runs, 6U);
  const std::map<Symptom, size_t> symptoms = {{Symptom::not_a_number, 2}};
  EXPECT_EQ(overview->symptoms, symptoms);
}

TEST(CampaignStore, GivesEverythingBackExactly)
{
  const Result<TempDir> place = TempDir::create();
  Result<Store> store = Store::open(place->path() / "c");
  ASSERT_TRUE(store) << store.error().line();
  const Data plan = plan_of(3);
  ASSERT_TRUE(store->put_plan(plan));
  const campaign::Run made = run_of(plan.variants[1].variant.id);
  ASSERT_TRUE(put(*store, made, std::string("log\0with a zero\n", 16)));
  ASSERT_TRUE(put(*store, run_of(""), "clean\n"));
  ASSERT_TRUE(store->put_note("coverage", "{}"));
  ASSERT_TRUE(store->put_finished("2026-01-02T04:00:00Z"));

  Result<Store> again = Store::open(place->path() / "c");
  const Result<Data> data = again->load();
  ASSERT_TRUE(data) << data.error().line();
  EXPECT_EQ(data->spec.name, "Tiny");
  EXPECT_EQ(data->spec.text, plan.spec.text);
  EXPECT_EQ(data->started, plan.started);
  EXPECT_EQ(data->finished, "2026-01-02T04:00:00Z");
  EXPECT_EQ(data->machine, plan.machine);
  EXPECT_EQ(data->versions, plan.versions);
  EXPECT_EQ(data->settings, plan.settings);
  ASSERT_EQ(data->variants.size(), 3U);
  EXPECT_EQ(data->variants[2].variant.id, plan.variants[2].variant.id);
  EXPECT_EQ(data->variants[2].variant.before, plan.variants[2].variant.before);
  EXPECT_EQ(data->variants[2].variant.edits, plan.variants[2].variant.edits);
  const std::vector<std::string> phases = {"preprocessing", "learning"};
  EXPECT_EQ(data->variants[2].phases, phases);
  ASSERT_EQ(data->clean.size(), 1U);
  ASSERT_EQ(data->runs.size(), 1U);
  const campaign::Run& run = data->runs.front();
  EXPECT_EQ(run.variant, made.variant);
  EXPECT_EQ(run.symptom, made.symptom);
  EXPECT_EQ(run.start, made.start);
  EXPECT_EQ(run.decision, made.decision);
  ASSERT_TRUE(run.crash);
  EXPECT_EQ(run.crash->message, made.crash->message);
  EXPECT_EQ(run.crash->line, 7U);
  EXPECT_TRUE(std::isnan(run.metrics.at("a")));
  EXPECT_EQ(run.metrics.at("b"), -INFINITY);
  EXPECT_EQ(run.metrics.at("c"), 0.1 + 0.2);
  EXPECT_EQ(run.metrics.at("d"), 5e-324);
  EXPECT_TRUE(std::signbit(run.metrics.at("e")));
  EXPECT_EQ(run.seconds, made.seconds);
  EXPECT_EQ(run.memory_kib, made.memory_kib);
  EXPECT_EQ(run.checkpoints, 3);
  EXPECT_EQ(again->log(made.variant, 0)->value(), std::string("log\0with a zero\n", 16));
  EXPECT_EQ(*again->log("MU001-nothing", 0), std::nullopt);
  EXPECT_EQ(*again->note("coverage"), "{}");
  EXPECT_EQ(*again->note("other"), "");
}

TEST(CampaignStore, TheFirstResultStays)
{
  const Result<TempDir> place = TempDir::create();
  Result<Store> store = Store::open(place->path());
  const Data plan = plan_of(2, 2);
  ASSERT_TRUE(store->put_plan(plan));
  const std::string id = plan.variants[0].variant.id;
  ASSERT_TRUE(put(*store, run_of(id, 1), "first"));
  campaign::Run other = run_of(id, 1);
  other.symptom = Symptom::crash;
  other.metrics = {{"z", 1}};
  ASSERT_TRUE(put(*store, other, "second"));
  const Result<Data> data = store->load();
  ASSERT_EQ(data->runs.size(), 1U);
  EXPECT_EQ(data->runs[0].symptom, Symptom::not_a_number);
  EXPECT_FALSE(data->runs[0].metrics.contains("z"));
  EXPECT_EQ(store->log(id, 1)->value(), "first");
  const auto missing = store->missing();
  const std::vector<std::pair<std::string, int>> expected = {
      {id, 0}, {plan.variants[1].variant.id, 0}, {plan.variants[1].variant.id, 1}};
  EXPECT_EQ(*missing, expected);
}

TEST(CampaignStore, ManyWritersLoseNothing)
{
  const Result<TempDir> place = TempDir::create();
  Result<Store> store = Store::open(place->path());
  const Data plan = plan_of(120);
  ASSERT_TRUE(store->put_plan(plan));
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      // Two share a connection, two have their own; every run is put twice.
      Result<Store> own = Store::open(place->path());
      Store& used = t % 2 == 0 ? *store : *own;
      for (size_t i = t / 2; i < plan.variants.size(); i += 2) {
        EXPECT_TRUE(put(used, run_of(plan.variants[i].variant.id), "log"));
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(store->load()->runs.size(), 120U);
  EXPECT_TRUE(store->missing()->empty());
}

TEST(CampaignStore, AKilledWriterLosesNothingItFinished)
{
  const Result<TempDir> place = TempDir::create();
  const Data plan = plan_of(20000);
  int told[2];
  ASSERT_EQ(pipe(told), 0);
  const pid_t child = fork();
  if (child == 0) {
    Result<Store> store = Store::open(place->path());
    if (!store || !store->put_plan(plan)) {
      _exit(1);
    }
    for (const VariantRecord& record : plan.variants) {
      if (!put(*store, run_of(record.variant.id), "log") || write(told[1], "x", 1) != 1) {
        _exit(1);
      }
    }
    _exit(0);
  }
  close(told[1]);
  size_t finished = 0;
  char byte = 0;
  while (finished < 50 && read(told[0], &byte, 1) == 1) {
    ++finished;
  }
  ASSERT_EQ(finished, 50U);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  while (read(told[0], &byte, 1) == 1) {
    ++finished;
  }
  close(told[0]);

  Result<Store> store = Store::open(place->path());
  ASSERT_TRUE(store) << store.error().line();
  const Result<Data> data = store->load();
  ASSERT_TRUE(data) << data.error().line();
  EXPECT_EQ(data->variants.size(), plan.variants.size());
  EXPECT_GE(data->runs.size(), finished);
  EXPECT_LE(data->runs.size(), finished + 1);
  EXPECT_EQ(data->runs.size() + store->missing()->size(), plan.variants.size());
  for (const campaign::Run& run : data->runs) {
    EXPECT_EQ(run.metrics.size(), 5U); // a run is there with all that belongs to it
  }
}

TEST(CampaignStore, ACopyIsComplete)
{
  const Result<TempDir> place = TempDir::create();
  Result<Store> store = Store::open(place->path() / "one");
  ASSERT_TRUE(store->put_plan(plan_of(4)));
  ASSERT_TRUE(put(*store, run_of("MU001-00000002"), "log"));
  std::filesystem::create_directory(place->path() / "two");
  ASSERT_TRUE(store->copy_to(place->path() / "two"));
  Result<Store> copy = Store::open(place->path() / "two");
  EXPECT_EQ(copy->load()->runs.size(), 1U);
  EXPECT_EQ(copy->missing()->size(), 3U);
}

TEST(CampaignStore, ANewPlanHasTheRunsOfItsAddressesWhateverTheirVariantsWereCalled)
{
  const Result<TempDir> place = TempDir::create();
  Result<Store> store = Store::open(place->path());
  const Data first = plan_of(3);
  ASSERT_TRUE(store->put_plan(first));
  for (const VariantRecord& record : first.variants) {
    ASSERT_TRUE(put(*store, run_of(record.variant.id), "log of " + record.variant.id));
  }
  Data second = plan_of(2);
  second.variants[0].address = first.variants[2].address; // the same text under another name
  second.variants[1].address = "another program";         // another text under the same name
  ASSERT_TRUE(store->put_plan(second, {{"planned", "now"}}));
  const Result<Data> data = store->load();
  ASSERT_EQ(data->runs.size(), 1U);
  EXPECT_EQ(data->runs[0].variant, "MU001-00000000");
  EXPECT_EQ(store->log("MU001-00000000", 0)->value(), "log of MU001-00000002");
  EXPECT_EQ(*store->log("MU001-00000001", 0), std::nullopt);
  EXPECT_EQ(store->missing()->size(), 1U);
  EXPECT_EQ(store->overview()->runs, 1U);
  // And back again.
  ASSERT_TRUE(store->put_plan(first, {{"planned", "now"}}));
  EXPECT_TRUE(store->missing()->empty());
}

TEST(CampaignStore, RepeatsBeyondTheWantedOnesAreKeptButDoNotCount)
{
  const Result<TempDir> place = TempDir::create();
  Result<Store> store = Store::open(place->path());
  ASSERT_TRUE(store->put_plan(plan_of(1, 2)));
  ASSERT_TRUE(put(*store, run_of("MU001-00000000", 0), ""));
  ASSERT_TRUE(put(*store, run_of("MU001-00000000", 1), ""));
  ASSERT_TRUE(store->put_plan(plan_of(1, 1)));
  EXPECT_EQ(store->load()->runs.size(), 1U);
  EXPECT_EQ(store->overview()->runs, 1U);
  ASSERT_TRUE(store->put_plan(plan_of(1, 2)));
  EXPECT_EQ(store->load()->runs.size(), 2U);
  EXPECT_TRUE(store->missing()->empty());
}

TEST(CampaignStore, ReadsWhatTheFirstVersionWrote)
{
  const Result<TempDir> place = TempDir::create();
  {
    Result<Database> database = Database::open(place->path() / "campaign.sqlite");
    const Result<std::string> old =
        read_file(std::filesystem::path(FL_TEST_DATA) / "campaign/schema_1.sql");
    ASSERT_TRUE(old);
    ASSERT_TRUE(database->execute(*old));
  }
  Result<Store> store = Store::open(place->path());
  ASSERT_TRUE(store) << store.error().line();
  const Result<Data> data = store->load();
  ASSERT_TRUE(data) << data.error().line();
  ASSERT_EQ(data->variants.size(), 2U);
  EXPECT_EQ(data->variants[0].phases, std::vector<std::string>{"loading"});
  ASSERT_EQ(data->runs.size(), 1U);
  EXPECT_EQ(data->runs[0].variant, "MU001-00000001");
  EXPECT_EQ(data->runs[0].metrics.at("fit"), 0.5);
  EXPECT_EQ(data->clean.size(), 1U);
  const std::vector<std::pair<std::string, int>> missing = {{"MU001-00000000", 0}};
  EXPECT_EQ(*store->missing(), missing);
  EXPECT_EQ(store->overview()->last_run, ""); // it was not noted
}

TEST(CampaignStore, RefusesWhatANewerVersionWrote)
{
  const Result<TempDir> place = TempDir::create();
  {
    Result<Database> database = Database::open(place->path() / "campaign.sqlite");
    ASSERT_TRUE(database->execute("PRAGMA user_version = 99"));
  }
  const Result<Store> store = Store::open(place->path());
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().line().find((place->path() / "campaign.sqlite").string() +
                                      ": it was written by a newer version of faultline"),
            std::string::npos)
      << store.error().line();
}

} // namespace faultline::campaign
