#include "proof/record.hpp"

#include "base/clock.hpp"
#include "base/content_digests.hpp"
#include "base/digest.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "run/installation.hpp"
#include "run/runner.hpp"

namespace faultline::proof {

static Result<void> ensure_table(Database& database)
{
  return database.execute(R"(
    DROP TABLE IF EXISTS proof; -- which did not know what had judged the runs
    CREATE TABLE IF NOT EXISTS proof_record (
      id TEXT NOT NULL,
      digest TEXT NOT NULL,
      finished TEXT NOT NULL,
      proved INTEGER NOT NULL,
      runs INTEGER NOT NULL,
      seeds INTEGER NOT NULL,
      versions TEXT NOT NULL,
      reason TEXT NOT NULL,
      harness TEXT NOT NULL
    );
    CREATE INDEX IF NOT EXISTS proof_record_of ON proof_record (id, digest, finished);)");
}

static void add_words(Digest& digest, const std::vector<std::string>& words)
{
  digest.add(static_cast<long long>(words.size()));
  for (const std::string& word : words) {
    digest.add(word);
  }
}

static void add_run(Digest& digest, const catalog::RunSpec& run)
{
  add_words(digest, run.command);
  add_words(digest, run.test);
  digest.add(format("{} {}", run.timeout_seconds, run.memory_mib));
  add_words(digest, run.compile ? run.compile->sources : std::vector<std::string>());
  digest.add(run.compile ? run.compile->output : "");
}

static void add_oracle(Digest& digest, const catalog::Oracle& oracle)
{
  digest.add(oracle.evidence);
  if (const std::optional<catalog::StatisticalOracle>& rule = oracle.statistical) {
    digest.add(rule->metric).add(rule->test).add(rule->higher_is_better ? 1 : 0);
    digest.add(format("{} {} {} {}", rule->threshold, rule->seeds, rule->alpha, rule->effect));
  }
}

std::string digest_of(const catalog::Fault& fault)
{
  Digest digest;
  for (const auto& [path, content] : fault.program) {
    digest.add(path).add(content);
  }
  digest.add(fault.framework).add(fault.test_file).add(fault.test_text);
  add_words(digest, fault.environments);
  add_words(digest, fault.absent_in);
  add_run(digest, fault.run);
  add_words(digest, fault.data);
  add_oracle(digest, fault.oracle);
  for (const catalog::Part& part : fault.parts) {
    digest.add(source::print_patch(part.patch)).add(part.labels.get("symptom"));
  }
  for (const catalog::Accepted& accepted : fault.accepted) {
    digest.add(accepted.patch ? source::print_patch(*accepted.patch) : "");
  }
  return digest.hex();
}

std::string harness_digest()
{
  static ContentDigests k_contents;
  Digest digest;
  digest.add(run::k_runner_version).add(k_contents.of(run::installation().probes() / "oracle"));
  return digest.hex();
}

Result<void> remember(run::OutcomeStore& store,
                      const catalog::Fault& fault,
                      const Proof& proof,
                      const run::Environments& environments)
{
  if (proof.state() == State::not_run || proof.spot_check) {
    return {};
  }
  FL_CHECK(ensure_table(store.database()));
  FL_TRY(const std::optional<ProofRecord> known, recall(store, fault));
  if (known && proof.fresh_runs == 0) {
    return {};
  }
  FL_TRY(Statement insert,
         store.database().prepare("INSERT INTO proof_record VALUES (?,?,?,?,?,?,?,?,?)"));
  std::vector<std::string> versions;
  for (const std::string& name : proof.proved_in) {
    const std::string list = environments.get(name).versions(fault.framework);
    versions.push_back(format("{}: {}", name, replace_all(std::string(trim(list)), "\n", ", ")));
  }
  insert.bind(1, fault.id).bind(2, digest_of(fault)).bind(3, utc_now());
  insert.bind(4, static_cast<long long>(proof.proved)).bind(5, static_cast<long long>(proof.runs));
  insert.bind(6, static_cast<long long>(proof.seeds))
      .bind(7, join(versions, "; "))
      .bind(8, proof.reason);
  insert.bind(9, harness_digest());
  return insert.run();
}

Result<std::string> records_stamp(run::OutcomeStore& store)
{
  FL_CHECK(ensure_table(store.database()));
  FL_TRY(Statement query,
         store.database().prepare("SELECT count(*), max(rowid) FROM proof_record"));
  FL_CHECK(query.step());
  return query.text(0) + " " + query.text(1);
}

Result<std::optional<ProofRecord>> recall(run::OutcomeStore& store, const catalog::Fault& fault)
{
  FL_CHECK(ensure_table(store.database()));
  FL_TRY(Statement query,
         store.database().prepare("SELECT finished, proved, runs, seeds, versions, reason, "
                                  "count(*) OVER () FROM proof_record "
                                  "WHERE id = ? AND digest = ? AND harness = ? "
                                  "ORDER BY finished DESC, rowid DESC LIMIT 1"));
  query.bind(1, fault.id).bind(2, digest_of(fault)).bind(3, harness_digest());
  FL_TRY(const bool found, query.step());
  if (!found) {
    return std::optional<ProofRecord>();
  }
  ProofRecord record;
  record.last = query.text(0);
  record.proved = query.integer(1) != 0;
  record.runs = static_cast<int>(query.integer(2));
  record.seeds = static_cast<int>(query.integer(3));
  record.versions = query.text(4);
  record.reason = query.text(5);
  record.times = static_cast<int>(query.integer(6));
  return std::optional(std::move(record));
}

Result<std::vector<KnownProof>> known_proofs(run::OutcomeStore& store)
{
  FL_CHECK(ensure_table(store.database()));
  // With max(), SQLite takes the other columns from the row that has the maximum.
  FL_TRY(
      Statement query,
      store.database().prepare("SELECT id, digest, proved, max(finished || printf('%012d', rowid)) "
                               "FROM proof_record WHERE harness = ? GROUP BY id, digest"));
  query.bind(1, harness_digest());
  std::vector<KnownProof> known;
  while (true) {
    FL_TRY(const bool row, query.step());
    if (!row) {
      return known;
    }
    known.push_back({query.text(0), query.text(1), query.integer(2) != 0});
  }
}

} // namespace faultline::proof
