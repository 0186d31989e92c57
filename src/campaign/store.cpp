#include "campaign/store.hpp"

#include "base/compress.hpp"
#include "base/format.hpp"
#include "base/json.hpp"
#include "campaign/metrics.hpp"

#include <cmath>

namespace faultline::campaign {

namespace fs = std::filesystem;

constexpr long long k_schema = 1;

// Texts stay as they are, byte for byte, whether UTF-8 or not. A number that may be NaN, which
// SQLite would make NULL, is a text.
constexpr const char* k_create = R"(
  CREATE TABLE IF NOT EXISTS plan (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS notes (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS variants (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, op TEXT NOT NULL, setting TEXT NOT NULL,
    library TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL, col INTEGER NOT NULL,
    before TEXT NOT NULL, after TEXT NOT NULL, phase TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS edits (
    variant INTEGER NOT NULL, number INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    text TEXT NOT NULL, PRIMARY KEY (variant, number)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS runs (
    number INTEGER PRIMARY KEY, variant TEXT NOT NULL, repeat INTEGER NOT NULL,
    symptom TEXT NOT NULL, start TEXT NOT NULL, decision TEXT NOT NULL,
    exception TEXT, message TEXT, file TEXT, line INTEGER, function TEXT, statement TEXT,
    seconds REAL NOT NULL, cpu_seconds REAL NOT NULL, spent_seconds REAL NOT NULL,
    memory_kib INTEGER NOT NULL, checkpoints INTEGER NOT NULL, log BLOB NOT NULL,
    UNIQUE (variant, repeat));
  CREATE TABLE IF NOT EXISTS metrics (
    run INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (run, name)) WITHOUT ROWID;
)";

template <typename Use> static Result<void> for_each_row(Statement& statement, const Use& use)
{
  while (true) {
    FL_TRY(const bool there, statement.step());
    if (!there) {
      return {};
    }
    use(statement);
  }
}

static fs::path file_in(const fs::path& folder)
{
  return folder / "campaign.sqlite";
}

bool Store::exists(const fs::path& folder)
{
  std::error_code code;
  return fs::is_regular_file(file_in(folder), code);
}

Result<Store> Store::open(const fs::path& folder)
{
  FL_TRY(Database database, Database::open(file_in(folder)));
  FL_TRY(const long long version, database.schema_version());
  if (version > k_schema) {
    return Error{
        ErrorKind::bad_data,
        format("{} was written by a newer version of faultline", file_in(folder).string())};
  }
  if (version < k_schema) {
    FL_TRY(Transaction transaction, Transaction::begin(database));
    FL_CHECK(database.execute(k_create));
    FL_CHECK(database.execute(format("PRAGMA user_version = {}", k_schema)));
    FL_CHECK(transaction.commit());
  }
  return Store(folder, std::move(database));
}

Store::Store(Store&& other) noexcept
    : m_folder(std::move(other.m_folder)), m_database(std::move(other.m_database))
{
}

static Result<void> put_value(Database& database, std::string_view key, std::string_view value)
{
  FL_TRY(Statement statement,
         database.prepare("INSERT OR REPLACE INTO plan (key, value) VALUES (?, ?)"));
  return statement.bind(1, key).bind(2, value).run();
}

static Result<void> put_variant(Statement& insert,
                                Statement& insert_edit,
                                const VariantRecord& record,
                                long long number)
{
  const inject::Variant& variant = record.variant;
  insert.bind(1, number)
      .bind(2, std::string_view(variant.id))
      .bind(3, std::string_view(variant.op))
      .bind(4, std::string_view(variant.setting))
      .bind(5, std::string_view(variant.library))
      .bind(6, std::string_view(variant.file))
      .bind(7, static_cast<long long>(variant.line))
      .bind(8, static_cast<long long>(variant.column))
      .bind(9, std::string_view(variant.before))
      .bind(10, std::string_view(variant.after))
      .bind(11, std::string_view(record.phase));
  FL_CHECK(insert.run());
  for (size_t i = 0; i < variant.edits.size(); ++i) {
    const source::Edit& edit = variant.edits[i];
    insert_edit.bind(1, number)
        .bind(2, static_cast<long long>(i))
        .bind(3, static_cast<long long>(edit.begin))
        .bind(4, static_cast<long long>(edit.end))
        .bind(5, std::string_view(edit.text));
    FL_CHECK(insert_edit.run());
  }
  return {};
}

Result<void> Store::put_plan(const Data& data)
{
  const std::lock_guard lock(m_mutex);
  FL_TRY(Transaction transaction, Transaction::begin(m_database));
  FL_CHECK(m_database.execute("DELETE FROM variants; DELETE FROM edits"));
  std::error_code code;
  FL_CHECK(put_value(m_database, "file", fs::absolute(data.spec.file, code).string()));
  FL_CHECK(put_value(m_database, "text", data.spec.text));
  FL_CHECK(put_value(m_database, "repeats", format("{}", data.spec.repeats)));
  FL_CHECK(put_value(m_database, "executor", data.spec.executor));
  FL_CHECK(put_value(m_database, "workers", format("{}", data.spec.workers)));
  FL_CHECK(put_value(
      m_database,
      "data_folder",
      data.spec.data_folder.empty() ? "" : fs::absolute(data.spec.data_folder, code).string()));
  FL_CHECK(put_value(m_database, "started", data.started));
  FL_CHECK(put_value(m_database, "finished", data.finished));
  FL_CHECK(put_value(m_database, "machine", data.machine));
  FL_CHECK(put_value(m_database, "versions", print_json_line(data.versions)));
  FL_CHECK(put_value(m_database, "settings", print_json_line(data.settings)));
  FL_TRY(Statement insert,
         m_database.prepare("INSERT INTO variants VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  FL_TRY(Statement insert_edit, m_database.prepare("INSERT INTO edits VALUES (?, ?, ?, ?, ?)"));
  for (size_t i = 0; i < data.variants.size(); ++i) {
    FL_CHECK(put_variant(insert, insert_edit, data.variants[i], static_cast<long long>(i)));
  }
  return transaction.commit();
}

Result<void> Store::put_note(const std::string& key, const std::string& text)
{
  const std::lock_guard lock(m_mutex);
  FL_TRY(Statement statement,
         m_database.prepare("INSERT OR REPLACE INTO notes (key, value) VALUES (?, ?)"));
  return statement.bind(1, std::string_view(key)).bind_blob(2, compress(text)).run();
}

Result<std::string> Store::note(const std::string& key)
{
  const std::lock_guard lock(m_mutex);
  FL_TRY(Statement statement, m_database.prepare("SELECT value FROM notes WHERE key = ?"));
  FL_TRY(const bool found, statement.bind(1, std::string_view(key)).step());
  return found ? decompress(statement.text(0)) : std::string();
}

Result<void> Store::put(const Run& run, std::string_view log)
{
  const std::string packed = compress(log); // before anybody has to wait for it
  const std::lock_guard lock(m_mutex);
  FL_TRY(Transaction transaction, Transaction::begin(m_database));
  FL_TRY(Statement insert,
         m_database.prepare("INSERT INTO runs (variant, repeat, symptom, start, decision,"
                            " exception, message, file, line, function, statement, seconds,"
                            " cpu_seconds, spent_seconds, memory_kib, checkpoints, log)"
                            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                            " ON CONFLICT DO NOTHING RETURNING number"));
  insert.bind(1, std::string_view(run.variant))
      .bind(2, static_cast<long long>(run.repeat))
      .bind(3, name_of(run.symptom))
      .bind(4, name_of(run.start))
      .bind(5, name_of(run.decision));
  if (run.crash) {
    insert.bind(6, std::string_view(run.crash->exception))
        .bind(7, std::string_view(run.crash->message))
        .bind(8, std::string_view(run.crash->file))
        .bind(9, static_cast<long long>(run.crash->line))
        .bind(10, std::string_view(run.crash->function))
        .bind(11, std::string_view(run.crash->statement));
  }
  insert.bind(12, run.seconds)
      .bind(13, run.cpu_seconds)
      .bind(14, run.spent_seconds)
      .bind(15, static_cast<long long>(run.memory_kib))
      .bind(16, static_cast<long long>(run.checkpoints))
      .bind_blob(17, packed);
  FL_TRY(const bool is_new, insert.step());
  if (is_new) {
    const long long number = insert.integer(0);
    FL_TRY(Statement metric, m_database.prepare("INSERT INTO metrics VALUES (?, ?, ?)"));
    for (const auto& [name, value] : run.metrics) {
      // The shortest text that gives the same number back.
      const std::string text = std::isnan(value) ? "nan" : format("{}", value);
      metric.bind(1, number).bind(2, std::string_view(name)).bind(3, std::string_view(text));
      FL_CHECK(metric.run());
    }
  }
  insert.reset();
  return transaction.commit();
}

Result<void> Store::put_finished(const std::string& when)
{
  const std::lock_guard lock(m_mutex);
  return put_value(m_database, "finished", when);
}

static std::map<std::string, std::string> texts_of(const std::string& json)
{
  std::map<std::string, std::string> texts;
  const Json parsed = parse_json(json);
  for (const auto& [key, value] : parsed.items()) {
    if (value.is_string()) {
      texts[key] = value.get<std::string>();
    }
  }
  return texts;
}

static Result<std::vector<VariantRecord>> load_variants(Database& database)
{
  std::vector<VariantRecord> records;
  FL_TRY(Statement select,
         database.prepare("SELECT id, op, setting, library, file, line, col, before, after, phase"
                          " FROM variants ORDER BY number"));
  FL_CHECK(for_each_row(select, [&](const Statement& row) {
    VariantRecord record;
    record.variant.id = row.text(0);
    record.variant.op = row.text(1);
    record.variant.setting = row.text(2);
    record.variant.library = row.text(3);
    record.variant.file = row.text(4);
    record.variant.line = static_cast<size_t>(row.integer(5));
    record.variant.column = static_cast<size_t>(row.integer(6));
    record.variant.before = row.text(7);
    record.variant.after = row.text(8);
    record.phase = row.text(9);
    records.push_back(std::move(record));
  }));
  FL_TRY(Statement edits,
         database.prepare("SELECT variant, first, last, text FROM edits ORDER BY variant, number"));
  FL_CHECK(for_each_row(edits, [&](const Statement& row) {
    const auto number = static_cast<size_t>(row.integer(0));
    if (number < records.size()) {
      records[number].variant.edits.push_back(
          {static_cast<size_t>(row.integer(1)), static_cast<size_t>(row.integer(2)), row.text(3)});
    }
  }));
  return records;
}

static Run run_of(const Statement& row)
{
  Run run;
  run.variant = row.text(1);
  run.repeat = static_cast<int>(row.integer(2));
  run.symptom = symptom_named(row.text(3)).value_or(Symptom::crash);
  run.start = start_named(row.text(4)).value_or(Start::cold);
  run.decision = decision_named(row.text(5)).value_or(Decision::ran);
  if (!row.is_null(6)) {
    run.crash = Crash{row.text(6),
                      row.text(7),
                      row.text(8),
                      static_cast<size_t>(row.integer(9)),
                      row.text(10),
                      row.text(11)};
  }
  run.seconds = row.number(12);
  run.cpu_seconds = row.number(13);
  run.spent_seconds = row.number(14);
  run.memory_kib = static_cast<size_t>(row.integer(15));
  run.checkpoints = static_cast<int>(row.integer(16));
  return run;
}

static Result<void> load_runs(Database& database, Data& data)
{
  std::map<long long, std::map<std::string, double>> metrics;
  FL_TRY(Statement values, database.prepare("SELECT run, name, value FROM metrics"));
  FL_CHECK(for_each_row(values, [&](const Statement& row) {
    metrics[row.integer(0)][row.text(1)] = parse_number(row.text(2)).value_or(0);
  }));
  FL_TRY(Statement select,
         database.prepare("SELECT number, variant, repeat, symptom, start, decision, exception,"
                          " message, file, line, function, statement, seconds, cpu_seconds,"
                          " spent_seconds, memory_kib, checkpoints FROM runs"
                          " ORDER BY variant, repeat"));
  FL_CHECK(for_each_row(select, [&](const Statement& row) {
    Run run = run_of(row);
    run.metrics = metrics[row.integer(0)];
    (run.variant.empty() ? data.clean : data.runs).push_back(std::move(run));
  }));
  return {};
}

Result<Data> Store::load()
{
  const std::lock_guard lock(m_mutex);
  // One transaction, so that what another process adds meanwhile is in all of it or in nothing.
  FL_CHECK(m_database.execute("BEGIN"));
  const auto read = [this]() -> Result<Data> {
    std::map<std::string, std::string> values;
    FL_TRY(Statement plan, m_database.prepare("SELECT key, value FROM plan"));
    FL_CHECK(for_each_row(plan, [&](const Statement& row) { values[row.text(0)] = row.text(1); }));
    if (!values.contains("text")) {
      return Error{ErrorKind::bad_data,
                   format("the campaign in {} was never planned: start it again with "
                          "`faultline campaign run`",
                          m_folder.string())};
    }
    Data data;
    FL_TRY(data.spec, parse_spec(values["text"], values["file"], SpecChecks::text_only));
    data.spec.data_folder = values["data_folder"];
    data.spec.executor = values["executor"];
    data.spec.workers = static_cast<size_t>(std::strtoull(values["workers"].c_str(), nullptr, 10));
    data.started = values["started"];
    data.finished = values["finished"];
    data.machine = values["machine"];
    data.versions = texts_of(values["versions"]);
    data.settings = texts_of(values["settings"]);
    FL_TRY(data.variants, load_variants(m_database));
    FL_CHECK(load_runs(m_database, data));
    return data;
  };
  Result<Data> data = read();
  FL_CHECK(m_database.execute("COMMIT"));
  return data;
}

Result<Overview> Store::overview()
{
  const std::lock_guard lock(m_mutex);
  std::map<std::string, std::string> values;
  FL_TRY(Statement plan, m_database.prepare("SELECT key, value FROM plan"));
  FL_CHECK(for_each_row(plan, [&](const Statement& row) { values[row.text(0)] = row.text(1); }));
  Overview overview;
  overview.file = values["file"];
  overview.started = values["started"];
  overview.finished = values["finished"];
  const Result<Spec> spec = parse_spec(values["text"], values["file"], SpecChecks::text_only);
  overview.name = spec ? spec->name : m_folder.filename().string();
  FL_TRY(Statement count, m_database.prepare("SELECT count(*) FROM variants"));
  FL_CHECK(count.step());
  overview.variants = static_cast<size_t>(count.integer(0));
  overview.total_runs = overview.variants * std::strtoull(values["repeats"].c_str(), nullptr, 10);
  FL_TRY(Statement runs,
         m_database.prepare(
             "SELECT symptom, count(*) FROM runs WHERE variant <> '' GROUP BY symptom"));
  FL_CHECK(for_each_row(runs, [&](const Statement& row) {
    const auto found = static_cast<size_t>(row.integer(1));
    overview.runs += found;
    overview.symptoms[symptom_named(row.text(0)).value_or(Symptom::crash)] += found;
  }));
  return overview;
}

Result<std::vector<std::pair<std::string, int>>> Store::missing()
{
  const std::lock_guard lock(m_mutex);
  FL_TRY(Statement plan, m_database.prepare("SELECT value FROM plan WHERE key = 'repeats'"));
  FL_TRY(const bool planned, plan.step());
  const long long repeats = planned ? std::strtoll(plan.text(0).c_str(), nullptr, 10) : 0;
  FL_TRY(Statement select,
         m_database.prepare(
             "WITH RECURSIVE r(repeat) AS (SELECT 0 UNION ALL SELECT repeat + 1 FROM r"
             " WHERE repeat + 1 < ?1)"
             " SELECT v.id, r.repeat FROM r CROSS JOIN variants v WHERE ?1 > 0 AND NOT EXISTS"
             " (SELECT 1 FROM runs WHERE runs.variant = v.id AND runs.repeat = r.repeat)"
             " ORDER BY r.repeat, v.number"));
  select.bind(1, repeats);
  std::vector<std::pair<std::string, int>> found;
  FL_CHECK(for_each_row(select, [&](const Statement& row) {
    found.emplace_back(row.text(0), static_cast<int>(row.integer(1)));
  }));
  return found;
}

Result<void> Store::copy_to(const fs::path& other)
{
  const std::lock_guard lock(m_mutex);
  FL_TRY(Statement copy, m_database.prepare("VACUUM INTO ?"));
  const std::string file = file_in(other).string();
  return copy.bind(1, std::string_view(file)).run();
}

Result<std::optional<std::string>> Store::log(const std::string& variant, int repeat)
{
  const std::lock_guard lock(m_mutex);
  FL_TRY(Statement select,
         m_database.prepare("SELECT log FROM runs WHERE variant = ? AND repeat = ?"));
  select.bind(1, std::string_view(variant)).bind(2, static_cast<long long>(repeat));
  FL_TRY(const bool found, select.step());
  if (!found) {
    return std::optional<std::string>();
  }
  FL_TRY(std::string text, decompress(select.text(0)));
  return std::optional(std::move(text));
}

} // namespace faultline::campaign
