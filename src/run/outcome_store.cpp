#include "run/outcome_store.hpp"

#include "base/clock.hpp"
#include "base/digest.hpp"
#include "base/format.hpp"
#include "run/runner.hpp"

namespace faultline::run {

constexpr int k_schema = 2;

// Only this much of the start and the end of a log is kept, as evidence.
constexpr size_t k_log_head = 64UL * 1024;
constexpr size_t k_log_tail = 64UL * 1024;

// Results kept here are short reports; a longer one is not kept.
constexpr size_t k_longest_result = 256UL * 1024;

std::string address_of(const Job& job, const std::string& fingerprint)
{
  Digest digest;
  digest.add(k_runner_version).add(fingerprint).add(job.directory);
  digest.add("command");
  for (const std::string& word : job.command) {
    digest.add(word);
  }
  digest.add("files");
  for (const auto& [path, content] : job.files) {
    digest.add(path).add(content).add(job.executables.contains(path) ? 1 : 0);
  }
  digest.add("links");
  for (const auto& [path, target] : job.links) {
    digest.add(path).add(target);
  }
  digest.add("variables");
  for (const auto& [name, value] : job.variables) {
    digest.add(name).add(value);
  }
  const Limits& limits = job.limits;
  digest.add(job.returns_result ? "returns a result" : "");
  digest.add(format("{} {} {} {} {} {}",
                    limits.wall_seconds,
                    limits.cpu_seconds,
                    limits.memory_mib,
                    limits.processes,
                    limits.output_kib,
                    limits.disk_mib));
  return digest.hex();
}

Result<OutcomeStore> OutcomeStore::open(const std::filesystem::path& path)
{
  FL_TRY(Database database, Database::open(path));
  FL_TRY(const long long version, database.schema_version());
  if (version > k_schema) {
    return Error{ErrorKind::bad_data,
                 format("{} was written by a newer Faultline (schema {}, this one knows {})",
                        path.string(),
                        version,
                        k_schema)};
  }
  if (version == 1) {
    FL_CHECK(database.execute("ALTER TABLE outcome ADD COLUMN result BLOB NOT NULL DEFAULT ''"));
  }
  FL_CHECK(database.execute(format(R"(
    CREATE TABLE IF NOT EXISTS outcome (
      address TEXT NOT NULL,
      nth INTEGER NOT NULL,
      finished TEXT NOT NULL,
      ending INTEGER NOT NULL,
      code INTEGER NOT NULL,
      wall_seconds REAL NOT NULL,
      cpu_seconds REAL NOT NULL,
      peak_memory_kib INTEGER NOT NULL,
      warm INTEGER NOT NULL,
      log BLOB NOT NULL,
      result BLOB NOT NULL,
      PRIMARY KEY (address, nth)
    ) WITHOUT ROWID;
    PRAGMA user_version = {};)",
                                   k_schema)));
  return OutcomeStore(std::move(database));
}

OutcomeStore::OutcomeStore(OutcomeStore&& other) noexcept : m_database(std::move(other.m_database))
{
}

Result<std::optional<StoredOutcome>> OutcomeStore::find(const std::string& address, int nth)
{
  const std::lock_guard lock(m_mutex);
  FL_TRY(Statement query,
         m_database.prepare(
             "SELECT finished, ending, code, wall_seconds, cpu_seconds, "
             "peak_memory_kib, warm, log, result FROM outcome WHERE address = ? AND nth = ?"));
  query.bind(1, address).bind(2, static_cast<long long>(nth));
  FL_TRY(const bool found, query.step());
  if (!found) {
    return std::optional<StoredOutcome>();
  }
  StoredOutcome stored;
  stored.when = query.text(0);
  stored.outcome.ending = static_cast<Ending>(query.integer(1));
  stored.outcome.code = static_cast<int>(query.integer(2));
  stored.outcome.wall_seconds = query.number(3);
  stored.outcome.cpu_seconds = query.number(4);
  stored.outcome.peak_memory_kib = static_cast<size_t>(query.integer(5));
  stored.outcome.warm = query.integer(6) != 0;
  stored.outcome.log = query.text(7);
  stored.outcome.result = query.text(8);
  return std::optional(std::move(stored));
}

static std::string shortened(const std::string& log)
{
  if (log.size() <= k_log_head + k_log_tail) {
    return log;
  }
  return log.substr(0, k_log_head) +
         format("\n[{} bytes left out]\n", log.size() - k_log_head - k_log_tail) +
         log.substr(log.size() - k_log_tail);
}

Result<void> OutcomeStore::put(const std::string& address, int nth, const RunOutcome& outcome)
{
  if (!outcome.is_verdict()) {
    return {};
  }
  const std::lock_guard lock(m_mutex);
  FL_TRY(Statement insert,
         m_database.prepare("INSERT OR REPLACE INTO outcome VALUES (?,?,?,?,?,?,?,?,?,?,?)"));
  insert.bind(1, address).bind(2, static_cast<long long>(nth)).bind(3, utc_now());
  insert.bind(4, static_cast<long long>(outcome.ending))
      .bind(5, static_cast<long long>(outcome.code));
  insert.bind(6, outcome.wall_seconds).bind(7, outcome.cpu_seconds);
  insert.bind(8, static_cast<long long>(outcome.peak_memory_kib));
  insert.bind(9, static_cast<long long>(outcome.warm ? 1 : 0)).bind(10, shortened(outcome.log));
  insert.bind(11, outcome.result.size() <= k_longest_result ? outcome.result : std::string());
  return insert.run();
}

} // namespace faultline::run
