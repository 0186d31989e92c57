#include "evaluate/run_store.hpp"

#include "base/clock.hpp"
#include "base/json.hpp"
#include "run/outcome_store.hpp"

namespace faultline::evaluate {

// Counts with every change to how output is read.
constexpr int k_reader_version = 2;

void add_reading(Digest& digest, const Tool& tool)
{
  digest.add(k_reader_version)
      .add(static_cast<long long>(tool.output.format))
      .add(tool.output.with_errors ? 1 : 0);
  const JsonKeys& keys = tool.output.keys;
  for (const std::string* key : {&keys.findings,
                                 &keys.rule,
                                 &keys.file,
                                 &keys.line,
                                 &keys.message,
                                 &keys.type,
                                 &keys.severity}) {
    digest.add(*key);
  }
  for (const std::string& pattern : tool.output.patterns) {
    digest.add(pattern);
  }
  digest.add("exit").add(tool.any_exit_status ? 1 : 0);
  for (const int status : tool.exit_statuses) {
    digest.add(status);
  }
  digest.add("output").add(static_cast<long long>(tool.limits.output_mib));
}

std::string address_of(const run::Job& job, const Tool& tool, const std::string& fingerprint)
{
  Digest digest;
  digest.add("tool run").add(run::address_of(job, fingerprint));
  add_reading(digest, tool);
  return digest.hex();
}

Result<RunStore> RunStore::open(const std::filesystem::path& path)
{
  FL_TRY(Database database, Database::open(path));
  FL_CHECK(database.execute(R"(
    DROP TABLE IF EXISTS tool_run; -- whose addresses did not know the files of a detector
    CREATE TABLE IF NOT EXISTS detector_run (
      address TEXT NOT NULL PRIMARY KEY,
      finished TEXT NOT NULL,
      status INTEGER NOT NULL,
      reason TEXT NOT NULL,
      seconds REAL NOT NULL,
      memory_kib INTEGER NOT NULL,
      log BLOB NOT NULL,
      output BLOB NOT NULL,
      matched INTEGER NOT NULL,
      unmatched INTEGER NOT NULL,
      findings BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS tool_run_subject (subject TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID;)"));
  return RunStore(std::move(database));
}

static std::string encoded(const std::vector<ToolFinding>& findings)
{
  Json json = Json::array();
  for (const ToolFinding& f : findings) {
    json.push_back({f.rule, f.file, f.line, f.message, f.type, f.severity});
  }
  return print_json_line(json);
}

static std::vector<ToolFinding> decoded(const std::string& text)
{
  std::vector<ToolFinding> findings;
  const Json json = parse_json(text);
  for (const Json& f : json.is_array() ? json : Json::array()) {
    findings.push_back({f[0].get<std::string>(),
                        f[1].get<std::string>(),
                        f[2].get<size_t>(),
                        f[3].get<std::string>(),
                        f[4].get<std::string>(),
                        f[5].get<std::string>()});
  }
  return findings;
}

Result<std::optional<ToolRun>> RunStore::find(const std::string& address)
{
  const std::lock_guard lock(m_mutex);
  FL_TRY(Statement query,
         m_database.prepare("SELECT status, reason, seconds, memory_kib, log, output, matched, "
                            "unmatched, findings FROM detector_run WHERE address = ?"));
  query.bind(1, address);
  FL_TRY(const bool found, query.step());
  if (!found) {
    return std::optional<ToolRun>();
  }
  ToolRun run;
  run.status = static_cast<RunStatus>(query.integer(0));
  run.reason = query.text(1);
  run.seconds = query.number(2);
  run.memory_kib = static_cast<size_t>(query.integer(3));
  run.log = query.text(4);
  run.output = query.text(5);
  run.matched = static_cast<size_t>(query.integer(6));
  run.unmatched = static_cast<size_t>(query.integer(7));
  run.findings = decoded(query.text(8));
  run.from_store = true;
  return std::optional(std::move(run));
}

Result<std::string> RunStore::stamp()
{
  const std::lock_guard lock(m_mutex);
  FL_TRY(Statement query,
         m_database.prepare("SELECT count(*), max(finished), sum(seconds) FROM detector_run"));
  FL_CHECK(query.step());
  return query.text(0) + " " + query.text(1) + " " + query.text(2);
}

Result<std::set<std::string>> RunStore::subjects()
{
  const std::lock_guard lock(m_mutex);
  std::set<std::string> ids;
  FL_TRY(Statement query, m_database.prepare("SELECT subject FROM tool_run_subject"));
  while (true) {
    FL_TRY(const bool found, query.step());
    if (!found) {
      return ids;
    }
    ids.insert(query.text(0));
  }
}

Result<void>
RunStore::put(const std::string& address, const ToolRun& run, const std::string& subject)
{
  if (run.status == RunStatus::not_run) {
    return {};
  }
  const std::lock_guard lock(m_mutex);
  FL_TRY(Transaction transaction, Transaction::begin(m_database));
  if (!subject.empty()) {
    FL_TRY(Statement about,
           m_database.prepare("INSERT OR IGNORE INTO tool_run_subject VALUES (?)"));
    FL_CHECK(about.bind(1, subject).run());
  }
  FL_TRY(Statement insert,
         m_database.prepare("INSERT OR REPLACE INTO detector_run VALUES (?,?,?,?,?,?,?,?,?,?,?)"));
  insert.bind(1, address).bind(2, utc_now()).bind(3, static_cast<long long>(run.status));
  insert.bind(4, run.reason).bind(5, run.seconds);
  insert.bind(6, static_cast<long long>(run.memory_kib)).bind_blob(7, run.log);
  insert.bind_blob(8, run.output).bind(9, static_cast<long long>(run.matched));
  insert.bind(10, static_cast<long long>(run.unmatched)).bind_blob(11, encoded(run.findings));
  FL_CHECK(insert.run());
  return transaction.commit();
}

} // namespace faultline::evaluate
