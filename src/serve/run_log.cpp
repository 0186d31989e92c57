#include "serve/run_log.hpp"

#include "base/clock.hpp"
#include "base/compress.hpp"
#include "base/format.hpp"

namespace faultline::serve {

constexpr long long k_schema = 1;

constexpr const char* k_create = R"(
  CREATE TABLE IF NOT EXISTS run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user TEXT NOT NULL, kind TEXT NOT NULL, fault TEXT NOT NULL, version TEXT NOT NULL,
    seed INTEGER NOT NULL, tool TEXT NOT NULL, state TEXT NOT NULL,
    created TEXT NOT NULL, started TEXT NOT NULL DEFAULT '', finished TEXT NOT NULL DEFAULT '',
    verdict TEXT NOT NULL DEFAULT '', why TEXT NOT NULL DEFAULT '',
    wall_seconds REAL NOT NULL DEFAULT 0, cpu_seconds REAL NOT NULL DEFAULT 0,
    peak_memory_kib INTEGER NOT NULL DEFAULT 0,
    findings BLOB NOT NULL DEFAULT '[]', alarms BLOB NOT NULL DEFAULT '[]',
    log_bytes INTEGER NOT NULL DEFAULT 0, log BLOB NOT NULL DEFAULT '');
  CREATE INDEX IF NOT EXISTS run_state ON run (state, id);
)";

constexpr std::string_view k_columns =
    "id, user, kind, fault, version, seed, tool, state, created, started, finished, verdict, why, "
    "wall_seconds, cpu_seconds, peak_memory_kib, findings, alarms, log_bytes";

Result<RunLog> RunLog::open(const std::filesystem::path& path, size_t most_runs)
{
  FL_TRY(Database database, Database::open(path));
  FL_TRY(const long long version, database.schema_version());
  if (version > k_schema) {
    return Error{ErrorKind::bad_data,
                 format("{} was written by a newer version of faultline", path.string())};
  }
  FL_TRY(Transaction transaction, Transaction::begin(database));
  if (version < k_schema) {
    FL_CHECK(database.execute(k_create));
    FL_CHECK(database.execute(format("PRAGMA user_version = {}", k_schema)));
  }
  FL_TRY(Statement stop,
         database.prepare("UPDATE run SET state = 'interrupted', finished = ?, "
                          "why = 'the server ended while this ran' WHERE state = 'running'"));
  FL_CHECK(stop.bind(1, utc_now()).run());
  FL_CHECK(transaction.commit());
  return RunLog(std::move(database), most_runs);
}

RunLog::RunLog(RunLog&& other) noexcept
    : m_database(std::move(other.m_database)), m_most_runs(other.m_most_runs)
{
}

Result<RunRecord> RunLog::add(const RunRequest& request)
{
  const std::lock_guard lock(m_mutex);
  RunRecord record;
  record.request = request;
  record.created = utc_now();
  FL_TRY(Transaction transaction, Transaction::begin(m_database));
  {
    FL_TRY(Statement insert,
           m_database.prepare("INSERT INTO run (user, kind, fault, version, seed, tool, state, "
                              "created) VALUES (?,?,?,?,?,?,'waiting',?) RETURNING id"));
    insert.bind(1, request.user).bind(2, name_of(request.kind)).bind(3, request.fault);
    insert.bind(4, request.version).bind(5, static_cast<long long>(request.seed));
    insert.bind(6, request.tool).bind(7, record.created);
    FL_CHECK(insert.step());
    record.id = insert.integer(0);
    FL_CHECK(insert.step());
  }
  // A run that is not over stays, however old.
  FL_TRY(Statement prune,
         m_database.prepare("DELETE FROM run WHERE state NOT IN ('waiting', 'running') AND id <= "
                            "(SELECT id FROM run ORDER BY id DESC LIMIT 1 OFFSET ?)"));
  FL_CHECK(prune.bind(1, static_cast<long long>(m_most_runs)).run());
  FL_CHECK(transaction.commit());
  return record;
}

Result<void> RunLog::start(const RunRecord& record)
{
  const std::lock_guard lock(m_mutex);
  FL_TRY(Statement update,
         m_database.prepare("UPDATE run SET state = 'running', started = ? WHERE id = ?"));
  return update.bind(1, record.started).bind(2, record.id).run();
}

Result<void> RunLog::finish(const RunRecord& record, std::string_view log)
{
  const std::string packed = compress(log);
  const RunEnd& end = record.end;
  const std::lock_guard lock(m_mutex);
  FL_TRY(Statement update,
         m_database.prepare("UPDATE run SET state = ?, finished = ?, verdict = ?, why = ?, "
                            "wall_seconds = ?, cpu_seconds = ?, peak_memory_kib = ?, findings = ?, "
                            "alarms = ?, log_bytes = ?, log = ? WHERE id = ?"));
  update.bind(1, name_of(record.state)).bind(2, record.finished).bind(3, end.verdict);
  update.bind(4, end.why).bind(5, end.wall_seconds).bind(6, end.cpu_seconds);
  update.bind(7, static_cast<long long>(end.peak_memory_kib));
  update.bind_blob(8, print_json_line(end.findings)).bind_blob(9, print_json_line(end.alarms));
  update.bind(10, static_cast<long long>(log.size())).bind_blob(11, packed).bind(12, record.id);
  return update.run();
}

static Json list_of(const std::string& text)
{
  Json json = parse_json(text);
  return json.is_array() ? json : Json::array();
}

static RunRecord record_of(const Statement& row)
{
  RunRecord record;
  record.id = row.integer(0);
  RunRequest& request = record.request;
  request.user = row.text(1);
  request.kind = run_kind_named(row.text(2)).value_or(RunKind::test);
  request.fault = row.text(3);
  request.version = row.text(4);
  request.seed = static_cast<int>(row.integer(5));
  request.tool = row.text(6);
  record.state = run_state_named(row.text(7)).value_or(RunState::failed);
  record.created = row.text(8);
  record.started = row.text(9);
  record.finished = row.text(10);
  record.end = {record.state,
                row.text(11),
                row.text(12),
                row.number(13),
                row.number(14),
                static_cast<size_t>(row.integer(15)),
                list_of(row.text(16)),
                list_of(row.text(17))};
  record.log_bytes = static_cast<size_t>(row.integer(18));
  return record;
}

Result<std::vector<RunRecord>> RunLog::select(Statement query)
{
  std::vector<RunRecord> records;
  while (true) {
    FL_TRY(const bool there, query.step());
    if (!there) {
      return records;
    }
    records.push_back(record_of(query));
  }
}

Result<std::optional<RunRecord>> RunLog::find(long long id)
{
  const std::lock_guard lock(m_mutex);
  FL_TRY(Statement query, m_database.prepare(format("SELECT {} FROM run WHERE id = ?", k_columns)));
  query.bind(1, id);
  FL_TRY(std::vector<RunRecord> found, select(std::move(query)));
  return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

Result<std::optional<std::string>> RunLog::log(long long id)
{
  const std::lock_guard lock(m_mutex);
  FL_TRY(Statement query, m_database.prepare("SELECT log FROM run WHERE id = ?"));
  FL_TRY(const bool found, query.bind(1, id).step());
  if (!found) {
    return std::optional<std::string>();
  }
  const std::string packed = query.text(0);
  if (packed.empty()) {
    return std::optional<std::string>("");
  }
  FL_TRY(std::string text, decompress(packed));
  return std::optional(std::move(text));
}

Result<std::vector<RunRecord>> RunLog::newest(size_t most)
{
  const std::lock_guard lock(m_mutex);
  FL_TRY(Statement query,
         m_database.prepare(format("SELECT {} FROM run ORDER BY id DESC LIMIT ?", k_columns)));
  query.bind(1, static_cast<long long>(most));
  return select(std::move(query));
}

Result<std::vector<RunRecord>> RunLog::waiting()
{
  const std::lock_guard lock(m_mutex);
  FL_TRY(Statement query,
         m_database.prepare(
             format("SELECT {} FROM run WHERE state = 'waiting' ORDER BY id", k_columns)));
  return select(std::move(query));
}

} // namespace faultline::serve
