#pragma once

#include "base/result.hpp"
#include "study/injected_logs/log_facts.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace faultline::study::injected {

// What injected_runs.csv says of a log, to be compared with what the log says. Nothing of it is
// used to classify.
struct RecordedFacts {
  std::string symptom;
  std::string rule;
  std::string exception;
  std::optional<double> accuracy;
  std::optional<double> training_seconds;
  std::string handled_tracebacks;
  std::string handled_exception;
};

// A mutant with a published log: a row of injected_runs.csv.
struct MutantRun {
  std::string id;
  Library library = Library::keras;
  std::string log_file;          // its path in the archive
  std::string mutation_operator; // by the rule that reproduces the paper's table V
  RecordedFacts recorded;
};

// An entry of the authors' result lists: a row of injected_summary.csv.
struct ListEntry {
  Library library = Library::keras;
  bool is_application = false; // a mutant of the application, of which no log is published
  std::string log_file;        // empty if there is none
  std::string mutation_operator;
  std::optional<double> accuracy;
  std::optional<double> training_seconds;
};

struct StudyData {
  std::vector<MutantRun> runs;
  std::vector<ListEntry> entries;
  std::map<std::string, LogFacts, std::less<>> logs; // by path in the archive
};

// Reads a folder with injected_runs.csv, injected_summary.csv and the logs, which are
// injected_logs.tar.zst or the folders that it unpacks to. The logs are classified while read.
Result<StudyData> read_study_data(const std::filesystem::path& folder);

} // namespace faultline::study::injected
