#include "campaign/store_rows.hpp"

#include "base/clock.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "campaign/metrics.hpp"

#include <cmath>

namespace faultline::campaign {

// Between the phases of a variant; no name of a phase has it.
constexpr char k_between_phases = '|';

Result<void> put_value(Database& database, std::string_view key, std::string_view value)
{
  FL_TRY(Statement statement,
         database.prepare("INSERT OR REPLACE INTO plan (key, value) VALUES (?, ?)"));
  return statement.bind(1, key).bind(2, value).run();
}

Result<std::map<std::string, std::string>> load_values(Database& database)
{
  std::map<std::string, std::string> values;
  FL_TRY(Statement plan, database.prepare("SELECT key, value FROM plan"));
  FL_CHECK(for_each_row(plan, [&](const Statement& row) { values[row.text(0)] = row.text(1); }));
  return values;
}

static Result<void> put_variant(Statement& insert,
                                Statement& insert_edit,
                                const VariantRecord& record,
                                long long number)
{
  const inject::Variant& variant = record.variant;
  const std::string phases = join(record.phases, std::string(1, k_between_phases));
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
      .bind(11, std::string_view(phases))
      .bind(12, std::string_view(record.address));
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

Result<void> put_variants(Database& database, const std::vector<VariantRecord>& records)
{
  FL_TRY(Statement insert,
         database.prepare("INSERT INTO variants (number, id, op, setting, library, file, line, col,"
                          " before, after, phases, address)"
                          " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  FL_TRY(Statement insert_edit, database.prepare("INSERT INTO edits VALUES (?, ?, ?, ?, ?)"));
  for (size_t i = 0; i < records.size(); ++i) {
    FL_CHECK(put_variant(insert, insert_edit, records[i], static_cast<long long>(i)));
  }
  return {};
}

static std::vector<std::string> phases_of(const std::string& text)
{
  std::vector<std::string> phases;
  for (const std::string_view phase : split(text, k_between_phases)) {
    if (!phase.empty()) {
      phases.emplace_back(phase);
    }
  }
  return phases;
}

Result<std::vector<VariantRecord>> load_variants(Database& database)
{
  std::vector<VariantRecord> records;
  FL_TRY(Statement select,
         database.prepare("SELECT id, op, setting, library, file, line, col, before, after, phases,"
                          " address FROM variants ORDER BY number"));
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
    record.phases = phases_of(row.text(9));
    record.address = row.text(10);
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

Result<void>
put_run(Database& database, const Run& run, const std::string& address, std::string_view packed_log)
{
  FL_TRY(Statement insert,
         database.prepare("INSERT INTO runs (address, repeat, ended, symptom, start, decision,"
                          " exception, message, file, line, function, statement, seconds,"
                          " cpu_seconds, spent_seconds, memory_kib, checkpoints, log)"
                          " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                          " ON CONFLICT DO NOTHING RETURNING number"));
  const std::string now = utc_now();
  insert.bind(1, std::string_view(address))
      .bind(2, static_cast<long long>(run.repeat))
      .bind(3, std::string_view(now))
      .bind(4, name_of(run.symptom))
      .bind(5, name_of(run.start))
      .bind(6, name_of(run.decision));
  if (run.crash) {
    insert.bind(7, std::string_view(run.crash->exception))
        .bind(8, std::string_view(run.crash->message))
        .bind(9, std::string_view(run.crash->file))
        .bind(10, static_cast<long long>(run.crash->line))
        .bind(11, std::string_view(run.crash->function))
        .bind(12, std::string_view(run.crash->statement));
  }
  insert.bind(13, run.seconds)
      .bind(14, run.cpu_seconds)
      .bind(15, run.spent_seconds)
      .bind(16, static_cast<long long>(run.memory_kib))
      .bind(17, static_cast<long long>(run.checkpoints))
      .bind_blob(18, packed_log);
  FL_TRY(const bool is_new, insert.step());
  if (is_new) {
    const long long number = insert.integer(0);
    FL_TRY(Statement metric, database.prepare("INSERT INTO metrics VALUES (?, ?, ?)"));
    for (const auto& [name, value] : run.metrics) {
      // The shortest text that gives the same number back.
      const std::string text = std::isnan(value) ? "nan" : format("{}", value);
      metric.bind(1, number).bind(2, std::string_view(name)).bind(3, std::string_view(text));
      FL_CHECK(metric.run());
    }
  }
  insert.reset();
  return {};
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

Result<void> load_runs(Database& database, Data& data)
{
  std::map<long long, std::map<std::string, double>> metrics;
  FL_TRY(Statement values, database.prepare("SELECT run, name, value FROM metrics"));
  FL_CHECK(for_each_row(values, [&](const Statement& row) {
    metrics[row.integer(0)][row.text(1)] = parse_number(row.text(2)).value_or(0);
  }));
  FL_TRY(Statement select,
         database.prepare(
             "WITH wanted(id, address, repeats) AS ("
             " SELECT id, address, ?1 FROM variants UNION ALL SELECT '', ?2, ?3)"
             " SELECT number, id, repeat, symptom, start, decision, exception, message, file,"
             " line, function, statement, seconds, cpu_seconds, spent_seconds, memory_kib,"
             " checkpoints FROM wanted JOIN runs USING (address)"
             " WHERE repeat < repeats ORDER BY id, repeat"));
  select.bind(1, static_cast<long long>(data.spec.repeats))
      .bind(2, std::string_view(data.clean_address))
      .bind(3, static_cast<long long>(data.spec.clean_repeats));
  FL_CHECK(for_each_row(select, [&](const Statement& row) {
    Run run = run_of(row);
    run.metrics = metrics[row.integer(0)];
    (run.variant.empty() ? data.clean : data.runs).push_back(std::move(run));
  }));
  return {};
}

Result<std::optional<Run>> load_run(Database& database, const std::string& address, int repeat)
{
  FL_TRY(Statement select,
         database.prepare("SELECT number, '', repeat, symptom, start, decision, exception, message,"
                          " file, line, function, statement, seconds, cpu_seconds, spent_seconds,"
                          " memory_kib, checkpoints FROM runs WHERE address = ? AND repeat = ?"));
  select.bind(1, std::string_view(address)).bind(2, static_cast<long long>(repeat));
  FL_TRY(const bool found, select.step());
  if (!found) {
    return std::optional<Run>();
  }
  Run run = run_of(select);
  FL_TRY(Statement values, database.prepare("SELECT name, value FROM metrics WHERE run = ?"));
  values.bind(1, select.integer(0));
  FL_CHECK(for_each_row(values, [&run](const Statement& row) {
    run.metrics[row.text(0)] = parse_number(row.text(1)).value_or(0);
  }));
  return std::optional(std::move(run));
}

} // namespace faultline::campaign
