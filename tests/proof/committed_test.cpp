#include "catalog/catalog.hpp"
#include "proof/committed.hpp"
#include "proof/fault_builder.hpp"

namespace faultline::proof {

namespace {

Proof proved(const catalog::Fault& fault)
{
  Proof proof;
  proof.id = fault.id;
  proof.proved = true;
  proof.runs = 6;
  proof.fresh_runs = 6;
  proof.seeds = 2;
  proof.proved_in = {"torch1"};
  return proof;
}

} // namespace

class CommittedTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_TRUE(write_tree(m_folder->path() / "faults", {{"keep", ""}})); }
  const std::filesystem::path& root() const { return m_folder->path(); }

  Result<TempDir> m_folder = TempDir::create();
  Result<run::OutcomeStore> m_store = run::OutcomeStore::open(m_folder->path() / "store.sqlite");
  static run::Environments machine()
  {
    run::Environment one;
    one.python = run::Python{};
    one.python->version = "3.11.2";
    one.python->packages = {{"torch", "1.13.1"}, {"numpy", "1.24.2"}};
    environment::Description described;
    described.name = "torch1";
    described.driver = "system";
    described.frameworks = {"pytorch"};
    return {one, {described}};
  }
  run::Environments m_machine = machine();
};

TEST_F(CommittedTest, WithoutAFileThereIsNone)
{
  const Result<CommittedProofs> none = read_committed(root());
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->empty());
}

TEST_F(CommittedTest, WhatIsWrittenIsReadAndIsAboutThatContentOnly)
{
  const catalog::Fault fault = FaultBuilder().load();
  ASSERT_TRUE(remember(*m_store, fault, proved(fault), m_machine));
  EXPECT_EQ(*commit_proofs(root(), {&fault}, {fault.id}, *m_store), 1U);
  EXPECT_EQ(*commit_proofs(root(), {&fault}, {fault.id}, *m_store), 0U);
  const Result<CommittedProofs> read = read_committed(root());
  ASSERT_TRUE(read) << read.error().line();
  const CommittedProof* found = find_committed(*read, fault);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->runs, 6);
  EXPECT_EQ(found->seeds, 2);
  EXPECT_EQ(found->versions, "torch1: numpy 1.24.2, torch 1.13.1, python 3.11.2");
  EXPECT_EQ(found->date.size(), 10U);
  catalog::Fault edited = fault;
  edited.test_text += "# changed\n";
  EXPECT_EQ(find_committed(*read, edited), nullptr);
}

TEST(ProofDigest, KnowsEverythingThatAProofRestsOn)
{
  const catalog::Fault fault = FaultBuilder().load();
  const std::string before = digest_of(fault);
  EXPECT_EQ(digest_of(fault), before);
  const std::vector<std::function<void(catalog::Fault&)>> changes = {
      [](catalog::Fault& f) { f.program["main.py"] += " "; },
      [](catalog::Fault& f) { f.test_text += " "; },
      [](catalog::Fault& f) { f.run.test.emplace_back("-v"); },
      [](catalog::Fault& f) { f.run.timeout_seconds += 1; },
      [](catalog::Fault& f) { f.run.memory_mib += 1; },
      [](catalog::Fault& f) {
        f.run.compile = catalog::Compile{{"main.cpp"}, "main"};
      },
      [](catalog::Fault& f) { f.data.emplace_back("spam"); },
      [](catalog::Fault& f) { f.oracle.evidence += "."; },
      [](catalog::Fault& f) { f.oracle.statistical = catalog::StatisticalOracle{}; },
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    catalog::Fault changed = fault;
    changes[i](changed);
    EXPECT_NE(digest_of(changed), before) << "change " << i;
  }
  catalog::Fault first = fault;
  first.oracle.statistical = catalog::StatisticalOracle{};
  catalog::Fault second = first;
  second.oracle.statistical->threshold = 0.5;
  EXPECT_NE(digest_of(first), digest_of(second));
}

TEST_F(CommittedTest, OnlyWhatIsProvedAndStillThereIsKept)
{
  const catalog::Fault first = FaultBuilder().load();
  const catalog::Fault second = FaultBuilder().load();
  ASSERT_TRUE(remember(*m_store, first, proved(first), m_machine));
  Proof failed = proved(second);
  failed.proved = false;
  ASSERT_TRUE(remember(*m_store, second, failed, m_machine));
  ASSERT_TRUE(commit_proofs(root(), {&first, &second}, {first.id, second.id}, *m_store));
  EXPECT_EQ(read_committed(root())->size(), 1U);
  // One that was not asked for stays; one that is gone does not.
  ASSERT_TRUE(commit_proofs(root(), {}, {first.id}, *m_store));
  EXPECT_EQ(read_committed(root())->size(), 1U);
  ASSERT_TRUE(commit_proofs(root(), {}, {second.id}, *m_store));
  EXPECT_TRUE(read_committed(root())->empty());
}

TEST_F(CommittedTest, ADamagedFileIsAnErrorWithItsLine)
{
  ASSERT_TRUE(
      write_file(root() / "faults/proofs.csv",
                 "id,digest,harness,date,runs,seeds,versions\na,b,c,2026-01-01,many,1,x\n"));
  const Result<CommittedProofs> read = read_committed(root());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message,
            (root() / "faults/proofs.csv").string() + ":2: `many` is not a number of runs");
}

// What a newcomer is told is proved has to be what is there.
TEST(CommittedProofs, CoverTheWholeFaultloadAsItIs)
{
  const Result<CommittedProofs> proofs = read_committed(FL_SOURCE_DIR);
  ASSERT_TRUE(proofs) << proofs.error().line();
  const Result<catalog::Catalog> all = catalog::load_catalog(FL_SOURCE_DIR);
  ASSERT_TRUE(all);
  for (const catalog::Fault& fault : all->faults) {
    if (!fault.withdrawn) {
      EXPECT_NE(find_committed(*proofs, fault), nullptr)
          << fault.id << " has changed since its proof was recorded: faultline verify " << fault.id
          << " --record";
    }
  }
}

} // namespace faultline::proof
