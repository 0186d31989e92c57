#include "proof/criteria.hpp"
#include "proof/fault_builder.hpp"
#include "proof/prover.hpp"
#include "proof/record.hpp"

namespace faultline::proof {

static const Measure& measure(const std::vector<Criterion>& all, const std::string& name)
{
  for (const Criterion& criterion : all) {
    for (const Measure& one : criterion.measures) {
      if (one.name == name) {
        return one;
      }
    }
  }
  static const Measure k_none{"no such measure", -1.0, "", "", std::nullopt};
  return k_none;
}

TEST(Criteria, BalanceIsOneWhereAllAreEqual)
{
  EXPECT_DOUBLE_EQ(balance({{"a", 7}, {"b", 7}, {"c", 7}}, 3), 1);
  EXPECT_DOUBLE_EQ(balance({{"a", 7}}, 3), 0);
  EXPECT_DOUBLE_EQ(balance({{"a", 5}, {"b", 5}}, 4), 0.5); // two of four bits
  EXPECT_DOUBLE_EQ(balance({}, 3), 0);
  EXPECT_DOUBLE_EQ(balance({{"a", 3}}, 1), 0);
}

TEST(Criteria, CountsOverTheCatalogueAndOverWhatWasRead)
{
  const Result<catalog::Schemes> schemes =
      catalog::load_schemes(std::string(FL_SOURCE_DIR) + "/taxonomy");
  ASSERT_TRUE(schemes);
  CriteriaInput input;
  input.faults = 10;
  input.counts["origin"] = {{"github", 6}, {"injected", 4}};
  input.counts["type"] = {{"api/wrong-api-usage", 9}, {"api/missing-api-call", 1}};
  input.counts["split"] = {{"dev", 7}, {"test", 3}};
  FaultFacts small;
  small.changed_lines = 2;
  small.has_link = true;
  FaultFacts large;
  large.changed_lines = 8;
  input.read = {small, large};
  const std::vector<Criterion> all = criteria(input, *schemes);
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(std::get<double>(measure(all, "real origin").value), 6);
  EXPECT_EQ(measure(all, "real origin").of, 10);
  EXPECT_EQ(std::get<double>(measure(all, "top categories covered").value), 1);
  EXPECT_EQ(std::get<double>(measure(all, "test split").value), 3);
  EXPECT_EQ(std::get<double>(measure(all, "size of a fix").value), 5);
  const Measure& links = measure(all, "link to a report");
  EXPECT_EQ(std::get<double>(links.value), 1);
  EXPECT_EQ(links.of, 2);
  EXPECT_EQ(links.detail, "where the fault was described; of a sample of 2 faults");
  EXPECT_EQ(std::get<std::string>(measure(all, "time of a proof").value), "not known");
}

TEST(Criteria, AProofIsReadFromTheStoreAndNothingIsRun)
{
  const run::Environments machine = *run::discover_environments(FL_SOURCE_DIR, FL_SOURCE_DIR, {});
  Result<run::OutcomeStore> store = run::OutcomeStore::open(":memory:");
  ASSERT_TRUE(store);
  const catalog::Fault fault = FaultBuilder().load();
  const Result<FaultFacts> before = facts_of(fault, *store, machine);
  ASSERT_TRUE(before);
  EXPECT_FALSE(before->proved);
  EXPECT_EQ(before->proof_runs, 0U);
  EXPECT_EQ(before->changed_lines, 2U);
  EXPECT_TRUE(before->same_api);

  run::Compiler compiler(
      machine.machine(), std::string(FL_SOURCE_DIR) + "/.faultline", run::Isolation::sandbox);
  Prover prover(machine, *store, compiler, {});
  const Proof proof =
      prover.prove({&fault}, [](const FinishedRun&, const catalog::Fault&) {}).front();
  ASSERT_TRUE(proof.proved) << proof.reason;
  const std::string stamp = *records_stamp(*store);
  ASSERT_TRUE(remember(*store, fault, proof, machine));
  EXPECT_NE(*records_stamp(*store), stamp);
  const Result<FaultFacts> after = facts_of(fault, *store, machine);
  ASSERT_TRUE(after);
  EXPECT_TRUE(after->proved);
  EXPECT_FALSE(after->flaky);
  EXPECT_TRUE(after->not_vacuous);
  EXPECT_TRUE(after->symptom_shown);
  EXPECT_EQ(after->proof_runs, proof.runs);
  EXPECT_GT(after->proof_seconds, 0);
}

} // namespace faultline::proof
