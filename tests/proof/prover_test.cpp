// Every check of a proof is tried on a fault that is wrong in just that way, run for real.

#include "proof/fault_builder.hpp"
#include "proof/prover.hpp"
#include "proof/record.hpp"

#include <algorithm>

namespace faultline::proof {

// This machine and the environments that the project describes.
static const run::Environments& machine()
{
  static const run::Environments k_machine =
      *run::discover_environments(FL_SOURCE_DIR, FL_SOURCE_DIR, {});
  return k_machine;
}

static Proof prove(const catalog::Fault& fault, run::OutcomeStore& store, int repeat = 1)
{
  run::Compiler compiler(
      machine().machine(), std::string(FL_SOURCE_DIR) + "/.faultline", run::Isolation::sandbox);
  ProverConfig config;
  config.repeat = repeat;
  config.workers = 2;
  Prover prover(machine(), store, compiler, config);
  return prover.prove({&fault}, [](const FinishedRun&, const catalog::Fault&) {}).front();
}

static Proof prove(const FaultBuilder& builder, int repeat = 1)
{
  Result<run::OutcomeStore> store = run::OutcomeStore::open(":memory:");
  EXPECT_TRUE(store);
  const catalog::Fault fault = builder.load();
  return prove(fault, *store, repeat);
}

// The names of the checks that do not hold.
static std::vector<std::string> failed(const Proof& proof)
{
  std::vector<std::string> names;
  for (const Check& check : proof.checks) {
    if (!check.holds) {
      names.push_back(check.name);
    }
  }
  return names;
}

using Names = std::vector<std::string>;

TEST(Prover, ProvesAnHonestFault)
{
  const Proof proof = prove(FaultBuilder());
  EXPECT_TRUE(proof.proved) << proof.reason;
  EXPECT_FALSE(proof.flaky);
  EXPECT_EQ(proof.runs, 6U);
  EXPECT_EQ(failed(proof), Names());
}

TEST(Prover, ProvesInEachEnvironmentThatIsThereAndSaysWhichIsNot)
{
  FaultBuilder builder;
  builder.in = "in = ['torch1', 'nowhere']\nnot_in = ['neverland']\n";
  const Proof proof = prove(builder);
  EXPECT_TRUE(proof.proved) << proof.reason;
  EXPECT_EQ(proof.proved_in, std::vector<std::string>{"torch1"});
  EXPECT_EQ(proof.unavailable.size(), 2U);
  EXPECT_EQ(proof.unavailable.at("nowhere"),
            "nobody has described this environment in environments/");
  EXPECT_EQ(proof.checks.front().name, "buggy fails in torch1");
}

TEST(Prover, WithoutAnyOfItsEnvironmentsAFaultIsNeitherProvedNorFailed)
{
  FaultBuilder builder;
  builder.in = "in = ['nowhere']\n";
  const Proof proof = prove(builder);
  EXPECT_EQ(proof.state(), State::not_run);
  EXPECT_EQ(proof.reason,
            "machine failure: nobody has described this environment in environments/");
}

TEST(Prover, WhereTheVersionsLackTheFaultBothProgramsPass)
{
  // The machine's Python stands in for an environment of its own.
  FaultBuilder builder;
  builder.in = "in = ['torch1']\nnot_in = ['tfjs']\n";
  const Proof proof = prove(builder);
  EXPECT_FALSE(proof.proved);
  EXPECT_EQ(failed(proof), Names{"buggy passes in tfjs"});

  builder.test = "import os\nimport oracle\nmain = oracle.run('main.py')\n"
                 "oracle.check(main.answer == 42 or 'FAULTLINE_SEEDS' not in os.environ, 'wrong "
                 "answer')\n";
  const Proof absent = prove(builder);
  EXPECT_TRUE(absent.proved) << absent.reason;
  EXPECT_EQ(absent.proved_in, std::vector<std::string>{"torch1"});
}

TEST(Prover, OfAFaultWhoseProofIsOnRecordEachVersionRunsOnce)
{
  Result<run::OutcomeStore> store = run::OutcomeStore::open(":memory:");
  ASSERT_TRUE(store);
  const catalog::Fault fault = FaultBuilder().load();
  run::Compiler compiler(
      machine().machine(), std::string(FL_SOURCE_DIR) + "/.faultline", run::Isolation::sandbox);
  ProverConfig config;
  config.on_record = [](const catalog::Fault&) { return true; };
  Prover prover(machine(), *store, compiler, config);
  EXPECT_EQ(prover.count_runs({&fault}), 2U);
  const Proof proof =
      prover.prove({&fault}, [](const FinishedRun&, const catalog::Fault&) {}).front();
  EXPECT_TRUE(proof.proved) << proof.reason;
  EXPECT_TRUE(proof.spot_check);
  EXPECT_EQ(proof.runs, 2U);
  // It is no proof, so none is remembered.
  ASSERT_TRUE(remember(*store, fault, proof, machine()));
  EXPECT_FALSE(*recall(*store, fault));
}

TEST(Prover, RefusesATestThatPassesOnTheBuggyVersion)
{
  FaultBuilder builder;
  builder.test = "import oracle\noracle.check(oracle.run('main.py').answer > 0, 'no answer')\n";
  const Proof proof = prove(builder);
  EXPECT_FALSE(proof.proved);
  EXPECT_EQ(failed(proof).front(), "buggy fails");
}

TEST(Prover, RefusesATestThatFailsOnTheFixedVersion)
{
  FaultBuilder builder;
  builder.test = "import oracle\nprint('answer 41' if '41' in open('main.py').read() else '')\n"
                 "oracle.fail('x')\n";
  EXPECT_EQ(failed(prove(builder)), Names{"fixed passes"});
}

TEST(Prover, RefusesATestThatAnEmptyProgramPasses)
{
  // Looks for the wrong answer instead of asking for the right one.
  FaultBuilder builder;
  builder.test = "import oracle\n"
                 "names = oracle.run('main.py').names\n"
                 "oracle.check(getattr(names, 'answer', None) != 41, 'wrong answer')\n";
  EXPECT_EQ(failed(prove(builder)), Names{"empty program fails"});
}

TEST(Prover, RefusesATestThatAProgramThatExitsAtOncePasses)
{
  // Takes an end without trouble for success.
  FaultBuilder builder;
  builder.test = "import oracle\n"
                 "status, output = oracle.execute(['python3', 'main.py'])\n"
                 "oracle.check(status == 0 and ('answer 42' in output or "
                 "open('main.py').read().startswith('import sys')), 'wrong answer')\n";
  EXPECT_EQ(failed(prove(builder)), Names{"program that exits at once fails"});
}

TEST(Prover, RefusesATestThatReadsTheNameOfTheVersion)
{
  FaultBuilder builder;
  builder.test = "import json, oracle\n"
                 "oracle.run('main.py').answer\n"
                 "version = json.load(open('../checkout.json'))['version']\n"
                 "oracle.check(version == 'fixed', 'wrong')\n";
  EXPECT_EQ(failed(prove(builder)), Names{"verdicts swap with the versions"});
}

TEST(Prover, RefusesABuggyLogWithoutTheDeclaredEvidence)
{
  FaultBuilder builder;
  builder.oracle = "evidence = 'answer 40'\n";
  const Proof proof = prove(builder);
  EXPECT_EQ(failed(proof), Names{"log shows the symptom"});
  EXPECT_EQ(proof.reason,
            "not so: log shows the symptom (the log of the buggy run does not match the evidence "
            "`answer 40`)");
}

TEST(Prover, RefusesEvidenceThatTheFixedLogShowsToo)
{
  FaultBuilder builder;
  builder.oracle = "evidence = 'answer'\n";
  EXPECT_EQ(failed(prove(builder)), Names{"log shows the symptom"});
}

TEST(Prover, RefusesASymptomThatTheRunDoesNotShow)
{
  FaultBuilder builder;
  builder.symptom = "hang";
  EXPECT_EQ(failed(prove(builder)), Names{"log shows the symptom"});
}

TEST(Prover, TakesATimeLimitAsAHang)
{
  FaultBuilder builder;
  builder.symptom = "hang";
  builder.program = "answer = 41\nwhile answer != 42: pass\n";
  builder.fix = "--- a/main.py\n+++ b/main.py\n@@ -1,2 +1,2 @@\n-answer = 41\n+answer = 42\n while "
                "answer != 42: pass\n";
  const catalog::Fault loaded = [&builder] {
    catalog::Fault fault = builder.load();
    fault.run.timeout_seconds = 0.7;
    return fault;
  }();
  Result<run::OutcomeStore> store = run::OutcomeStore::open(":memory:");
  const Proof proof = prove(loaded, *store);
  EXPECT_TRUE(proof.proved) << proof.reason;
}

TEST(Prover, FindsAFlakyFault)
{
  FaultBuilder builder;
  builder.test += "print('seed', oracle.seed)\noracle.check(oracle.seed != 2, 'unlucky')\n";
  EXPECT_TRUE(prove(builder, 2).proved);
  const Proof proof = prove(builder, 3);
  EXPECT_TRUE(proof.flaky);
  EXPECT_EQ(proof.state(), State::flaky);
  EXPECT_EQ(proof.reason, "not so: fixed passes (seed 2: unlucky)");
}

TEST(Prover, RefusesAnAlternativeThatDoesNotFix)
{
  FaultBuilder builder;
  builder.files["accepted/other.patch"] = "--- a/main.py\n+++ b/main.py\n@@ -1,2 +1,2 @@\n-answer "
                                          "= 41\n+answer = 43\n print('answer', answer)\n";
  builder.more = "[[accepted]]\npatch = 'accepted/other.patch'\nwhy = 'w'\n";
  EXPECT_EQ(failed(prove(builder)), Names{"accepted/other.patch passes"});
}

// A program with two things wrong.
static FaultBuilder two_parts(const std::string& condition)
{
  FaultBuilder builder;
  builder.with_part = false;
  builder.program = "a = 1\n\n\n\n\n\n\nb = 1\nprint('answer', 41)\n";
  builder.files["a.patch"] = "--- a/main.py\n+++ b/main.py\n@@ -1,1 +1,1 @@\n-a = 1\n+a = 2\n";
  builder.files["b.patch"] = "--- a/main.py\n+++ b/main.py\n@@ -8,2 +8,2 @@\n-b = "
                             "1\n-print('answer', 41)\n+b = 2\n+print('done')\n";
  builder.more = "[[part]]\nname = 'a'\ntitle = 'A'\npatch = 'a.patch'\n" +
                 builder.labels("part.") +
                 "[[part]]\nname = 'b'\ntitle = 'B'\npatch = 'b.patch'\n" + builder.labels("part.");
  builder.test =
      "import oracle\nmain = oracle.run('main.py')\noracle.check(" + condition + ", 'wrong')\n";
  return builder;
}

TEST(Prover, ProvesSeveralPartsEachOfWhichIsNeeded)
{
  const Proof proof = prove(two_parts("main.a == 2 and main.b == 2"));
  EXPECT_TRUE(proof.proved) << proof.reason;
  EXPECT_EQ(proof.runs, 8U);
}

TEST(Prover, RefusesAPartThatIsNotNeeded)
{
  EXPECT_EQ(failed(prove(two_parts("main.b == 2"))), Names{"fails without the fix of `a`"});
}

static FaultBuilder statistical(const std::string& value)
{
  FaultBuilder builder;
  builder.test = "import oracle\n"
                 "seed, answer = oracle.seed, oracle.run('main.py').answer\n"
                 "oracle.metric('accuracy', " +
                 value + ")\n";
  builder.oracle = "metric = 'accuracy'\ndirection = 'higher'\nthreshold = 0.8\nseeds = 6\n"
                   "test = 'mann-whitney'\nalpha = 0.01\neffect = 0.9\nevidence = 'answer 41'\n";
  return builder;
}

TEST(Prover, ComparesTheSamplesOfAStatisticalOracle)
{
  const Proof proof = prove(statistical("(0.9 if answer == 42 else 0.7) + seed / 1000"));
  EXPECT_TRUE(proof.proved) << proof.reason;
  EXPECT_EQ(proof.buggy_sample.size(), 6U);
  EXPECT_EQ(proof.fixed_sample.front(), 0.9);
  EXPECT_FALSE(proof.flaky);
}

TEST(Prover, RefusesSamplesThatOverlap)
{
  const Proof proof = prove(statistical("(0.81 if answer == 42 else 0.79) + (seed % 3 - 1) / 20"));
  EXPECT_EQ(failed(proof), Names{"buggy and fixed samples differ"});
}

TEST(Prover, RefusesSamplesOnTheWrongSideOfTheThreshold)
{
  EXPECT_EQ(failed(prove(statistical("(0.7 if answer == 42 else 0.5) + seed / 1000"))),
            Names{"buggy and fixed samples differ"});
}

TEST(Prover, RefusesATestThatMeasuresNothing)
{
  FaultBuilder builder = statistical("answer");
  builder.test = "import oracle\noracle.check(oracle.run('main.py').answer > 0, 'no answer')\n";
  EXPECT_FALSE(prove(builder).proved);
}

TEST(Prover, DoesNotRunAgainWhatTheStoreKnows)
{
  Result<run::OutcomeStore> store = run::OutcomeStore::open(":memory:");
  const catalog::Fault fault = FaultBuilder().load();
  EXPECT_EQ(prove(fault, *store).fresh_runs, 6U);
  const Proof again = prove(fault, *store);
  EXPECT_TRUE(again.proved);
  EXPECT_EQ(again.fresh_runs, 0U);
  EXPECT_EQ(prove(fault, *store, 2).fresh_runs, 2U); // only the new seed
}

TEST(Prover, NeverTakesTheVerdictOfOtherCode)
{
  Result<run::OutcomeStore> store = run::OutcomeStore::open(":memory:");
  FaultBuilder builder;
  prove(builder.load(), *store);
  builder.test += "\n";
  EXPECT_EQ(prove(builder.load(), *store).fresh_runs, 6U);
}

TEST(Record, TellsWhenAndHowOftenAFaultWasProved)
{
  Result<run::OutcomeStore> store = run::OutcomeStore::open(":memory:");
  const catalog::Fault fault = FaultBuilder().load();
  ASSERT_TRUE(recall(*store, fault));
  EXPECT_FALSE(recall(*store, fault)->has_value());
  ASSERT_TRUE(remember(*store, fault, prove(fault, *store), machine()));
  ASSERT_TRUE(
      remember(*store, fault, prove(fault, *store), machine())); // nothing was run: no new proof
  ASSERT_TRUE(remember(*store, fault, prove(fault, *store, 3), machine()));
  const std::optional<ProofRecord> record = *recall(*store, fault);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->times, 2);
  EXPECT_TRUE(record->proved);
  EXPECT_EQ(record->seeds, 3);
  EXPECT_EQ(record->runs, 10);
  EXPECT_NE(record->versions.find("torch 1.13.1"), std::string::npos) << record->versions;
}

} // namespace faultline::proof
