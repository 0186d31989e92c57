#pragma once

#include "study/injected_logs/data.hpp"
#include "study/injected_logs/published.hpp"

#include <map>
#include <string>
#include <vector>

// The tables of "How do injected bugs affect deep learning?", recomputed from its published logs.

namespace faultline::study::injected {

// How a recomputed cell stands to the published one.
struct Difference {
  bool equal = true;
  std::string because; // empty although not equal: nothing explains it

  bool unexplained() const { return !equal && because.empty(); }
};

// A row of table IV or V. Mutants of the application have no log; what the authors' lists say of
// them is in `recomputed` and `lists`.
struct SymptomRow {
  Library library = Library::keras;
  std::string mutation_operator; // empty in table IV
  SymptomCounts published;
  SymptomCounts logs;       // the logs alone
  SymptomCounts recomputed; // the logs and the application
  SymptomCounts lists;      // as the authors' lists have it: an accuracy is recorded or not
  size_t without_log = 0;   // mutants of the libraries in the lists, but without a published log
  bool complete = true;     // all that is published of this library is at hand
  Difference difference;
};

struct OutlierRow {
  Library library = Library::keras;
  Measure measure = Measure::accuracy;
  OutlierCounts published;
  OutlierCounts lists; // from the values that the authors' lists record, as the paper's are
  size_t values = 0;   // how many those are
  double lower_quartile = 0;
  double upper_quartile = 0;
  OutlierCounts logs; // from the values in the logs, and the lists' for the application
  bool complete = true;
  Difference difference;
};

// A finding of the paper and whether it holds in the recomputed tables.
struct Finding {
  int number = 0;
  std::string statement;
  bool held = false;
  std::string numbers;
};

// What we read from a log is not what injected_runs.csv records.
struct Disagreement {
  std::string run;
  std::string field;
  std::string ours;
  std::string recorded;
  std::string last_line; // of the log
};

struct Agreement {
  std::string field;
  size_t agreed = 0;
  size_t total = 0;
};

struct InvalidAccuracy {
  std::string run;
  double accuracy = 0;
};

using CountsByLibrary = std::map<Library, size_t>;

struct InjectedStudy {
  std::vector<SymptomRow> symptoms;  // table IV
  std::vector<SymptomRow> operators; // table V
  std::vector<SymptomRow> outside;   // operators that table V leaves out; nothing published
  std::vector<OutlierRow> outliers;  // findings 2 and 3
  std::vector<InvalidAccuracy> invalid;
  size_t invalid_published = 0;
  Difference invalid_difference;
  std::vector<Finding> findings;
  std::map<std::string, CountsByLibrary> crashes; // by exception
  // Peculiarities of the logs that the paper does not count: name → how many.
  std::vector<std::pair<std::string, CountsByLibrary>> peculiar;
  std::vector<Agreement> agreement; // with injected_runs.csv, the symptom first
  std::vector<Disagreement> disagreements;

  // Cells and logs that differ for no reason that we know.
  size_t unexplained() const;
};

InjectedStudy recompute(const StudyData& data, const Published& published);

} // namespace faultline::study::injected
