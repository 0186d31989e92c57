#include "base/file.hpp"
#include "run/outcome_store.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace faultline::run {

static Job sample_job()
{
  Job job;
  job.files = {{"a.py", "print(1)\n"}};
  job.command = {"python3", "a.py"};
  job.variables = {{"SEED", "1"}};
  return job;
}

static RunOutcome sample_outcome()
{
  RunOutcome outcome;
  outcome.ending = Ending::exited;
  outcome.code = 3;
  outcome.wall_seconds = 1.5;
  outcome.cpu_seconds = 1.25;
  outcome.peak_memory_kib = 4096;
  outcome.log = std::string("line\n\0byte", 10);
  outcome.warm = true;
  return outcome;
}

TEST(Address, ChangesWithEverythingThatCanChangeTheOutcome)
{
  const std::string address = address_of(sample_job(), "torch 1\n");
  EXPECT_EQ(address, address_of(sample_job(), "torch 1\n"));
  EXPECT_NE(address, address_of(sample_job(), "torch 2\n"));
  const auto differs = [&address](const std::function<void(Job&)>& change) {
    Job job = sample_job();
    change(job);
    return address_of(job, "torch 1\n") != address;
  };
  EXPECT_TRUE(differs([](Job& job) { job.files["a.py"] += " "; }));
  EXPECT_TRUE(differs([](Job& job) { job.files["b.py"] = ""; }));
  EXPECT_TRUE(differs([](Job& job) { job.executables.insert("a.py"); }));
  EXPECT_TRUE(differs([](Job& job) { job.command.push_back("-v"); }));
  EXPECT_TRUE(differs([](Job& job) { job.variables["SEED"] = "2"; }));
  EXPECT_TRUE(differs([](Job& job) { job.links["data"] = "/data/mnist"; }));
  EXPECT_TRUE(differs([](Job& job) { job.directory = "program"; }));
  EXPECT_TRUE(differs([](Job& job) { job.limits.memory_mib = 1; }));
  EXPECT_FALSE(differs([](Job& job) { job.warm = WarmStart::python; }));
}

TEST(OutcomeStore, GivesBackWhatWasPut)
{
  const Result<TempDir> folder = TempDir::create();
  ASSERT_TRUE(folder);
  Result<OutcomeStore> store = OutcomeStore::open(folder->path() / "store.sqlite");
  ASSERT_TRUE(store) << store.error().line();
  ASSERT_TRUE(store->put("address", 0, sample_outcome()));
  const auto found = store->find("address");
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->outcome.ending, Ending::exited);
  EXPECT_EQ((*found)->outcome.code, 3);
  EXPECT_EQ((*found)->outcome.wall_seconds, 1.5);
  EXPECT_EQ((*found)->outcome.peak_memory_kib, 4096U);
  EXPECT_EQ((*found)->outcome.log, sample_outcome().log);
  EXPECT_TRUE((*found)->outcome.warm);
  const auto other = store->find("elsewhere");
  ASSERT_TRUE(other);
  EXPECT_FALSE(other->has_value());
}

TEST(OutcomeStore, DoesNotKeepWhatIsNoVerdict)
{
  const Result<TempDir> folder = TempDir::create();
  Result<OutcomeStore> store = OutcomeStore::open(folder->path() / "store.sqlite");
  RunOutcome outcome = sample_outcome();
  outcome.ending = Ending::machine_failure;
  ASSERT_TRUE(store->put("address", 0, outcome));
  outcome.ending = Ending::interrupted;
  ASSERT_TRUE(store->put("address", 0, outcome));
  EXPECT_FALSE(store->find("address")->has_value());
}

TEST(OutcomeStore, ShortensALongLogInTheMiddle)
{
  const Result<TempDir> folder = TempDir::create();
  Result<OutcomeStore> store = OutcomeStore::open(folder->path() / "store.sqlite");
  RunOutcome outcome = sample_outcome();
  outcome.log = "start" + std::string(1000000, 'x') + "end";
  ASSERT_TRUE(store->put("address", 0, outcome));
  const std::string log = (*store->find("address"))->outcome.log;
  EXPECT_LT(log.size(), 200000U);
  EXPECT_TRUE(log.starts_with("startxxx"));
  EXPECT_TRUE(log.ends_with("xxxend"));
  EXPECT_NE(log.find("bytes left out]"), std::string::npos);
}

TEST(OutcomeStore, TakesWritersSideBySide)
{
  const Result<TempDir> folder = TempDir::create();
  const auto write = [&folder](int first) {
    Result<OutcomeStore> store = OutcomeStore::open(folder->path() / "store.sqlite");
    for (int i = first; i < first + 50; ++i) {
      ASSERT_TRUE(store->put("address " + std::to_string(i), 0, sample_outcome()));
    }
  };
  std::thread other(write, 1000);
  write(0);
  other.join();
  Result<OutcomeStore> store = OutcomeStore::open(folder->path() / "store.sqlite");
  EXPECT_TRUE(store->find("address 49")->has_value());
  EXPECT_TRUE(store->find("address 1049")->has_value());
}

TEST(OutcomeStore, RefusesAFileThatIsNoDatabase)
{
  const Result<TempDir> folder = TempDir::create();
  ASSERT_TRUE(write_file(folder->path() / "store.sqlite", std::string(5000, 'x')));
  const Result<OutcomeStore> store = OutcomeStore::open(folder->path() / "store.sqlite");
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().line().find("file is not a database"), std::string::npos)
      << store.error().line();
}

TEST(OutcomeStore, RefusesAStoreFromTheFuture)
{
  const Result<TempDir> folder = TempDir::create();
  const std::filesystem::path path = folder->path() / "store.sqlite";
  {
    Result<Database> database = Database::open(path);
    ASSERT_TRUE(database->execute("PRAGMA user_version = 99"));
  }
  const Result<OutcomeStore> store = OutcomeStore::open(path);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().message,
            path.string() + " was written by a newer Faultline (schema 99, this one knows 2)");
}

} // namespace faultline::run
