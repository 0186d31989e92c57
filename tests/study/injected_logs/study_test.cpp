#include "base/file.hpp"
#include "study/injected_logs/study.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace faultline::study::injected {

namespace {

namespace fs = std::filesystem;

const std::string k_runs_header =
    "run_id,library,log_file,operator_line_rule,symptom,symptom_rule,exception,accuracy,"
    "training_time_s,handled_tracebacks,handled_exception\n";
const std::string k_summary_header =
    "library,is_application,operator_line_rule,accuracy,training_time_s,log_file\n";

// Two logs and their rows, as small as the study gets.
FileTree small_study()
{
  return {
      {"injected_runs.csv",
       k_runs_header + "keras/core/0,keras,Keras_logs/core/"
                       "log0.log,NVR,normal,final_result_printed,,0.75,2.5,0,\n"
                       "theano/gof/0,theano,Theano_logs/gof/log0.log,BVR,hang,marked_hang,,,,0,\n"},
      {"injected_summary.csv",
       k_summary_header + "keras,false,NVR,0.75,2.5,Keras_logs/core/log0.log\n"
                          "keras,true,ArOR,,1.5,\n"
                          "theano,false,BVR,,,Theano_logs/gof/log0.log\n"},
      {"Keras_logs/core/log0.log", "x - val_accuracy: 0.75\nTraining time:2.5\n"},
      {"Theano_logs/gof/log0.log", "Hang\n"},
  };
}

void write(const fs::path& folder, const FileTree& files)
{
  ASSERT_TRUE(write_tree(folder, files));
}

std::string error_of(const FileTree& files)
{
  const Result<TempDir> place = TempDir::create();
  write(place->path(), files);
  const Result<StudyData> data = read_study_data(place->path());
  if (data) {
    return "";
  }
  std::string line = data.error().line();
  const size_t at = line.find(place->path().string());
  return at == std::string::npos ? line : line.replace(at, place->path().string().size(), "F");
}

// `files` as tar.zst, by libarchive.
void write_archive(const fs::path& path, const FileTree& files)
{
  archive* out = archive_write_new();
  archive_write_add_filter_zstd(out);
  archive_write_set_format_ustar(out);
  ASSERT_EQ(archive_write_open_filename(out, path.c_str()), ARCHIVE_OK);
  for (const auto& [name, content] : files) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_write_header(out, entry);
    archive_write_data(out, content.data(), content.size());
    archive_entry_free(entry);
  }
  archive_write_close(out);
  archive_write_free(out);
}

// Moves the logs of a small study into its archive.
void pack(const fs::path& folder, FileTree files)
{
  FileTree logs;
  for (const char* name : {"Keras_logs/core/log0.log", "Theano_logs/gof/log0.log"}) {
    logs[name] = files.at(name);
    files.erase(name);
  }
  write(folder, files);
  write_archive(folder / "injected_logs.tar.zst", logs);
}

const SymptomRow& row_of(const InjectedStudy& study, Library library, std::string_view name)
{
  for (const SymptomRow& row : study.operators) {
    if (row.library == library && row.mutation_operator == name) {
      return row;
    }
  }
  return study.operators.front();
}

} // namespace

TEST(InjectedLogs, CountsLogsAndApplications)
{
  const Result<TempDir> place = TempDir::create();
  write(place->path(), small_study());
  const Result<StudyData> data = read_study_data(place->path());
  ASSERT_TRUE(data) << data.error().line();
  const InjectedStudy study = recompute(*data, published_study());
  EXPECT_EQ(print(row_of(study, Library::keras, "NVR").recomputed), "1/0/0");
  EXPECT_EQ(print(row_of(study, Library::keras, "ArOR").recomputed), "1/0/0");
  EXPECT_EQ(print(row_of(study, Library::keras, "ArOR").logs), "0/0/0");
  EXPECT_EQ(print(row_of(study, Library::keras, "ArOR").lists), "0/1/0");
  EXPECT_EQ(print(row_of(study, Library::theano, "BVR").recomputed), "0/0/1");
  EXPECT_TRUE(study.disagreements.empty());
  EXPECT_EQ(study.agreement.front().agreed, 2U);
}

TEST(InjectedLogs, AnArchiveSaysTheSameAsItsFolders)
{
  const Result<TempDir> place = TempDir::create();
  pack(place->path(), small_study());
  const Result<StudyData> data = read_study_data(place->path());
  ASSERT_TRUE(data) << data.error().line();
  EXPECT_EQ(data->logs.size(), 2U);
  EXPECT_TRUE(recompute(*data, published_study()).disagreements.empty());
}

TEST(InjectedLogs, ADisagreementIsShownWithItsEvidence)
{
  FileTree files = small_study();
  files["Theano_logs/gof/log0.log"] = "cv: 0, perf: 0.5\n";
  files["Theano_logs/gof/log1.log"] = "Hang\n";
  const Result<TempDir> place = TempDir::create();
  write(place->path(), files);
  const Result<StudyData> data = read_study_data(place->path());
  ASSERT_TRUE(data);
  const InjectedStudy study = recompute(*data, published_study());
  EXPECT_EQ(study.agreement.front().agreed, 1U);
  ASSERT_EQ(study.disagreements.size(), 4U); // symptom, rule, accuracy; and a log without a row
  EXPECT_EQ(study.disagreements[0].run, "theano/gof/0");
  EXPECT_EQ(study.disagreements[0].ours, "normal");
  EXPECT_EQ(study.disagreements[0].recorded, "hang");
  EXPECT_EQ(study.disagreements[0].last_line, "cv: 0, perf: 0.5");
  EXPECT_EQ(study.disagreements[3].run, "Theano_logs/gof/log1.log");
  EXPECT_GT(study.unexplained(), 4U); // the tables are far from the published ones
}

TEST(InjectedLogs, AMissingLogIsADisagreement)
{
  FileTree files = small_study();
  files.erase("Theano_logs/gof/log0.log");
  const Result<TempDir> place = TempDir::create();
  write(place->path(), files);
  const Result<StudyData> data = read_study_data(place->path());
  ASSERT_TRUE(data);
  const InjectedStudy study = recompute(*data, published_study());
  ASSERT_EQ(study.disagreements.size(), 1U);
  EXPECT_EQ(study.disagreements[0].ours, "no log");
}

TEST(InjectedLogs, BadFoldersGetOneClearLine)
{
  const std::string source = "; the data comes from "
                             "https://github.com/bugdataupload/deeplearningbugs and "
                             "docs/studies/injected-logs.md describes these files";
  EXPECT_EQ(error_of({}),
            "F lacks injected_logs.tar.zst (or Keras_logs/, TF_logs/, Theano_logs/), "
            "injected_runs.csv, injected_summary.csv" +
                source);
  FileTree files = small_study();
  files.erase("injected_summary.csv");
  EXPECT_EQ(error_of(files), "F lacks injected_summary.csv" + source);

  files = small_study();
  files["injected_runs.csv"] = "run_id,library\n";
  EXPECT_EQ(error_of(files), "F/injected_runs.csv has no column `log_file`");
  files["injected_runs.csv"] = k_runs_header;
  EXPECT_EQ(error_of(files), "F/injected_runs.csv has no rows");
  files["injected_runs.csv"] = k_runs_header + "a,caffe,c,NVR,normal,r,,,,0,\n";
  EXPECT_EQ(error_of(files), "F/injected_runs.csv:2: no library is called `caffe`");
  files["injected_runs.csv"] = k_runs_header + "a,keras,c,NVR,normal,r,,high,,0,\n";
  EXPECT_EQ(error_of(files), "F/injected_runs.csv:2: accuracy is `high`, which is no number");
  EXPECT_EQ(read_study_data("/nowhere").error().line(), "/nowhere is no folder");
}

TEST(InjectedLogs, ADamagedArchiveIsSaidSo)
{
  const Result<TempDir> place = TempDir::create();
  FileTree files = small_study();
  // Long enough, and different enough, that half of the archive is not nearly all of it.
  for (int i = 0; i < 100000; ++i) {
    files["Keras_logs/core/log0.log"] += std::to_string(i * 7919LL % 100003) + "\n";
  }
  pack(place->path(), files);
  const fs::path archive = place->path() / "injected_logs.tar.zst";
  fs::resize_file(archive, fs::file_size(archive) / 2);
  Result<StudyData> data = read_study_data(place->path());
  ASSERT_FALSE(data);
  EXPECT_NE(data.error().line().find("injected_logs.tar.zst cannot be read as tar.zst: "),
            std::string::npos)
      << data.error().line();
  EXPECT_EQ(data.error().line().find('\n'), std::string::npos);

  ASSERT_TRUE(write_file(archive, "this is no archive"));
  data = read_study_data(place->path());
  ASSERT_FALSE(data);
  EXPECT_NE(data.error().line().find("cannot be read as tar.zst"), std::string::npos);
}

// The published logs themselves, where they are.
TEST(InjectedLogs, AgreesWithThePublishedRuns)
{
  const fs::path folder = fs::path(FL_SOURCE_DIR) / ".." / "shared" / "data";
  if (!fs::exists(folder / "injected_logs.tar.zst")) {
    GTEST_SKIP() << "the published logs are not at " << folder;
  }
  const Result<StudyData> data = read_study_data(folder);
  ASSERT_TRUE(data) << data.error().line();
  EXPECT_EQ(data->logs.size(), 1690U);
  const InjectedStudy study = recompute(*data, published_study());
  for (const Agreement& agreement : study.agreement) {
    EXPECT_EQ(agreement.agreed, 1690U) << agreement.field;
    EXPECT_EQ(agreement.total, 1690U) << agreement.field;
  }
  EXPECT_EQ(study.unexplained(), 0U);

  // Cells that are exact: Theano's normal runs and hangs, the totals of six Keras operators.
  for (const SymptomRow& row : study.operators) {
    if (row.library == Library::theano) {
      EXPECT_EQ(row.recomputed.normal, row.published.normal) << row.mutation_operator;
      EXPECT_EQ(row.recomputed.hang, row.published.hang) << row.mutation_operator;
    }
    if (row.library == Library::keras && row.mutation_operator != "MemOR") {
      EXPECT_EQ(row.recomputed.total(), row.published.total()) << row.mutation_operator;
    }
  }
  for (const char* name : {"LogOR", "AsOR", "BVR"}) {
    const SymptomRow& row = row_of(study, Library::tensorflow, name);
    EXPECT_EQ(row.lists, row.published) << name;
  }
  for (const SymptomRow& row : study.symptoms) {
    EXPECT_EQ(row.recomputed.hang, row.published.hang);
  }
  for (const OutlierRow& row : study.outliers) {
    if (row.library == Library::theano ||
        (row.library == Library::keras && row.measure == Measure::accuracy)) {
      EXPECT_TRUE(row.difference.equal) << name_of(row.library) << " " << name_of(row.measure);
    }
  }
  EXPECT_EQ(study.invalid.size(), 5U);
  EXPECT_TRUE(study.invalid_difference.equal);
  for (const Finding& finding : study.findings) {
    EXPECT_TRUE(finding.held) << finding.number;
  }
}

} // namespace faultline::study::injected
