#include "campaign/store.hpp"

#include "base/compress.hpp"
#include "base/format.hpp"
#include "base/json.hpp"
#include "campaign/store_rows.hpp"
#include "campaign/store_schema.hpp"

#include <algorithm>

namespace faultline::campaign {

namespace fs = std::filesystem;

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
  if (Result<void> ready = prepare_schema(database); !ready) {
    return std::move(ready).error().in(file_in(folder).string());
  }
  return Store(folder, std::move(database));
}

Store::Store(Store&& other) noexcept
    : m_folder(std::move(other.m_folder)), m_database(std::move(other.m_database))
{
}

static Result<void> insert_note(Database& database, const std::string& key, const std::string& text)
{
  FL_TRY(Statement statement,
         database.prepare("INSERT OR REPLACE INTO notes (key, value) VALUES (?, ?)"));
  return statement.bind(1, std::string_view(key)).bind_blob(2, compress(text)).run();
}

Result<void> Store::put_plan(const Data& data, const std::map<std::string, std::string>& notes)
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
  FL_CHECK(put_value(m_database, "clean_address", data.clean_address));
  FL_CHECK(put_variants(m_database, data.variants));
  if (!notes.empty()) {
    FL_CHECK(m_database.execute("DELETE FROM notes"));
    for (const auto& [key, text] : notes) {
      FL_CHECK(insert_note(m_database, key, text));
    }
  }
  return transaction.commit();
}

Result<void> Store::put_note(const std::string& key, const std::string& text)
{
  const std::lock_guard lock(m_mutex);
  return insert_note(m_database, key, text);
}

Result<std::string> Store::note(const std::string& key)
{
  const std::lock_guard lock(m_mutex);
  FL_TRY(Statement statement, m_database.prepare("SELECT value FROM notes WHERE key = ?"));
  FL_TRY(const bool found, statement.bind(1, std::string_view(key)).step());
  return found ? decompress(statement.text(0)) : std::string();
}

Result<std::string> Store::address_of(const std::string& variant)
{
  FL_TRY(Statement select,
         m_database.prepare(variant.empty() ? "SELECT value FROM plan WHERE key = 'clean_address'"
                                            : "SELECT address FROM variants WHERE id = ?"));
  if (!variant.empty()) {
    select.bind(1, std::string_view(variant));
  }
  FL_TRY(const bool found, select.step());
  return found ? select.text(0) : std::string();
}

Result<void> Store::put(const std::string& address, const Run& run, std::string_view log)
{
  const std::string packed = compress(log);
  const std::lock_guard lock(m_mutex);
  FL_TRY(Transaction transaction, Transaction::begin(m_database));
  FL_CHECK(put_run(m_database, run, address, packed));
  return transaction.commit();
}

Result<void> Store::put_symptoms(const std::vector<std::pair<std::string, Run>>& runs)
{
  const std::lock_guard lock(m_mutex);
  FL_TRY(Transaction transaction, Transaction::begin(m_database));
  FL_TRY(Statement update,
         m_database.prepare("UPDATE runs SET symptom = ? WHERE address = ? AND repeat = ?"));
  for (const auto& [address, run] : runs) {
    update.bind(1, name_of(run.symptom))
        .bind(2, std::string_view(address))
        .bind(3, static_cast<long long>(run.repeat));
    FL_CHECK(update.run());
  }
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

Result<Data> Store::load()
{
  const std::lock_guard lock(m_mutex);
  // One transaction, so that what another process adds meanwhile is in all of it or in nothing.
  FL_CHECK(m_database.execute("BEGIN"));
  const auto read = [this]() -> Result<Data> {
    FL_TRY(auto values, load_values(m_database));
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
    data.spec.repeats = static_cast<int>(std::strtol(values["repeats"].c_str(), nullptr, 10));
    data.clean_address = values["clean_address"];
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
  FL_TRY(auto values, load_values(m_database));
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
         m_database.prepare("SELECT symptom, count(*), max(ended) FROM runs JOIN variants"
                            " USING (address) WHERE repeat < ? GROUP BY symptom"));
  runs.bind(1, std::strtoll(values["repeats"].c_str(), nullptr, 10));
  FL_CHECK(for_each_row(runs, [&](const Statement& row) {
    const auto found = static_cast<size_t>(row.integer(1));
    overview.runs += found;
    overview.symptoms[symptom_named(row.text(0)).value_or(Symptom::crash)] += found;
    overview.last_run = std::max(overview.last_run, row.text(2));
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
             " (SELECT 1 FROM runs WHERE runs.address = v.address AND runs.repeat = r.repeat)"
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

static Result<std::optional<std::string>>
load_log(Database& database, const std::string& address, int repeat)
{
  FL_TRY(Statement select,
         database.prepare("SELECT log FROM runs WHERE address = ? AND repeat = ?"));
  select.bind(1, std::string_view(address)).bind(2, static_cast<long long>(repeat));
  FL_TRY(const bool found, select.step());
  if (!found) {
    return std::optional<std::string>();
  }
  FL_TRY(std::string text, decompress(select.text(0)));
  return std::optional(std::move(text));
}

Result<std::optional<std::string>> Store::log(const std::string& variant, int repeat)
{
  const std::lock_guard lock(m_mutex);
  FL_TRY(const std::string address, address_of(variant));
  return load_log(m_database, address, repeat);
}

Result<std::optional<std::string>> Store::log_at(const std::string& address, int repeat)
{
  const std::lock_guard lock(m_mutex);
  return load_log(m_database, address, repeat);
}

Result<std::optional<Run>> Store::run_at(const std::string& address, int repeat)
{
  const std::lock_guard lock(m_mutex);
  return load_run(m_database, address, repeat);
}

} // namespace faultline::campaign
