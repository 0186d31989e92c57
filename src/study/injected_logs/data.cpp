#include "study/injected_logs/data.hpp"

#include "base/csv_table.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "study/archive.hpp"
#include "study/injected_logs/log_reader.hpp"

#include <array>

namespace faultline::study::injected {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view k_archive = "injected_logs.tar.zst";
constexpr std::string_view k_runs = "injected_runs.csv";
constexpr std::string_view k_summary = "injected_summary.csv";

struct LogFolder {
  std::string_view name;
  Library library;
};
constexpr std::array<LogFolder, 3> k_log_folders = {{{"Keras_logs", Library::keras},
                                                     {"TF_logs", Library::tensorflow},
                                                     {"Theano_logs", Library::theano}}};

// Classifies each log that comes by.
class Classifier final : public FileSink {
public:
  explicit Classifier(std::map<std::string, LogFacts, std::less<>>& logs) : m_logs(logs) {}

  void begin(std::string_view path) override
  {
    m_path = path.starts_with("./") ? path.substr(2) : path;
    for (const LogFolder& folder : k_log_folders) {
      if (m_path.starts_with(std::string(folder.name) + "/") && m_path.ends_with(".log")) {
        m_reader = log_reader(folder.library);
      }
    }
  }

  void take(std::string_view piece) override
  {
    if (m_reader) {
      m_reader->feed(piece);
    }
  }

  void end() override
  {
    if (m_reader) {
      m_logs[m_path] = m_reader->finish();
      m_reader.reset();
    }
  }

private:
  std::map<std::string, LogFacts, std::less<>>& m_logs;
  std::string m_path;
  std::unique_ptr<LogReader> m_reader;
};

// A folder that may not be looked into has nothing for us.
bool is_there(const fs::path& path)
{
  std::error_code failed;
  return fs::exists(path, failed);
}

bool is_folder(const fs::path& path)
{
  std::error_code failed;
  return fs::is_directory(path, failed);
}

// Where the unpacked logs are: in the folder itself or in injected_logs/ below it.
std::optional<fs::path> unpacked(const fs::path& folder)
{
  for (const fs::path& place : {folder, folder / "injected_logs"}) {
    for (const LogFolder& logs : k_log_folders) {
      if (is_folder(place / logs.name)) {
        return place;
      }
    }
  }
  return std::nullopt;
}

Result<void> check_folder(const fs::path& folder)
{
  if (!is_folder(folder)) {
    return Error{ErrorKind::usage, format("{} is no folder", folder.string())};
  }
  std::vector<std::string> missing;
  if (!is_there(folder / k_archive) && !unpacked(folder)) {
    missing.push_back(format("{} (or Keras_logs/, TF_logs/, Theano_logs/)", k_archive));
  }
  for (const std::string_view file : {k_runs, k_summary}) {
    if (!is_there(folder / file)) {
      missing.emplace_back(file);
    }
  }
  if (missing.empty()) {
    return {};
  }
  return Error{ErrorKind::not_found,
               format("{} lacks {}; the data comes from "
                      "https://github.com/bugdataupload/deeplearningbugs and "
                      "docs/studies/injected-logs.md describes these files",
                      folder.string(),
                      join(missing, ", "))};
}

Result<std::optional<double>> number(const CsvTable& table, size_t row, std::string_view column)
{
  const std::string& text = table.at(row, column);
  if (text.empty()) {
    return std::optional<double>();
  }
  const std::optional<double> value = leading_number(text);
  if (!value) {
    return Error{ErrorKind::bad_data,
                 format("{}: {} is `{}`, which is no number", table.place(row), column, text)};
  }
  return value;
}

Result<Library> library(const CsvTable& table, size_t row)
{
  const std::string& name = table.at(row, "library");
  if (const std::optional<Library> found = library_named(name)) {
    return *found;
  }
  return Error{ErrorKind::bad_data,
               format("{}: no library is called `{}`", table.place(row), name)};
}

Result<std::vector<MutantRun>> read_runs(const fs::path& file)
{
  FL_TRY(const CsvTable table, CsvTable::read(file));
  FL_CHECK(table.require({"run_id",
                          "library",
                          "log_file",
                          "operator_line_rule",
                          "symptom",
                          "symptom_rule",
                          "exception",
                          "accuracy",
                          "training_time_s",
                          "handled_tracebacks",
                          "handled_exception"}));
  std::vector<MutantRun> runs;
  for (size_t row = 0; row < table.size(); ++row) {
    MutantRun run;
    run.id = table.at(row, "run_id");
    FL_TRY(run.library, library(table, row));
    run.log_file = table.at(row, "log_file");
    run.mutation_operator = table.at(row, "operator_line_rule");
    run.recorded.symptom = table.at(row, "symptom");
    run.recorded.rule = table.at(row, "symptom_rule");
    run.recorded.exception = table.at(row, "exception");
    FL_TRY(run.recorded.accuracy, number(table, row, "accuracy"));
    FL_TRY(run.recorded.training_seconds, number(table, row, "training_time_s"));
    run.recorded.handled_tracebacks = table.at(row, "handled_tracebacks");
    run.recorded.handled_exception = table.at(row, "handled_exception");
    runs.push_back(std::move(run));
  }
  if (runs.empty()) {
    return Error{ErrorKind::bad_data, format("{} has no rows", file.string())};
  }
  return runs;
}

Result<std::vector<ListEntry>> read_entries(const fs::path& file)
{
  FL_TRY(const CsvTable table, CsvTable::read(file));
  FL_CHECK(table.require({"library",
                          "is_application",
                          "operator_line_rule",
                          "accuracy",
                          "training_time_s",
                          "log_file"}));
  std::vector<ListEntry> entries;
  for (size_t row = 0; row < table.size(); ++row) {
    ListEntry entry;
    FL_TRY(entry.library, library(table, row));
    entry.is_application = table.at(row, "is_application") == "true";
    entry.mutation_operator = table.at(row, "operator_line_rule");
    entry.log_file = table.at(row, "log_file");
    FL_TRY(entry.accuracy, number(table, row, "accuracy"));
    FL_TRY(entry.training_seconds, number(table, row, "training_time_s"));
    entries.push_back(std::move(entry));
  }
  return entries;
}

} // namespace

Result<StudyData> read_study_data(const fs::path& folder)
{
  FL_CHECK(check_folder(folder));
  StudyData data;
  FL_TRY(data.runs, read_runs(folder / k_runs));
  FL_TRY(data.entries, read_entries(folder / k_summary));
  Classifier classifier(data.logs);
  if (is_there(folder / k_archive)) {
    FL_CHECK(read_archive(folder / k_archive, classifier));
  } else {
    const fs::path place = *unpacked(folder);
    for (const LogFolder& logs : k_log_folders) {
      if (is_folder(place / logs.name)) {
        FL_CHECK(read_folder(place, std::string(logs.name), classifier));
      }
    }
  }
  return data;
}

} // namespace faultline::study::injected
