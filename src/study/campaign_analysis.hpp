#pragma once

// Everything that a report of a campaign shows, computed from what the campaign stored and from
// nothing else.
//
// The unit is the variant. One that was run several times counts once: with the symptom that most
// of its runs show (the graver one if two are as frequent), with the mean of its metrics and times.

#include "campaign/data.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::study {

// The chance that is accepted of calling a difference one that is none.
inline constexpr double k_significance = 0.05;

// What one variant showed.
struct VariantOutcome {
  size_t variant = 0; // index in data.variants
  campaign::Symptom symptom = campaign::Symptom::normal;
  size_t runs = 0;
  bool runs_agree = true;                  // all of them showed this symptom
  std::optional<double> metric;            // the first one, where every run gave a valid value
  std::optional<double> seconds;           // CPU time of runs that came to their end
  std::optional<double> metric_difference; // to the clean runs with the same seeds
};

// Whether the run came to its end without an error, which the study calls normal.
bool ends_well(campaign::Symptom symptom);

// How often each symptom occurs among variants.
struct SymptomCounts {
  size_t total = 0;
  std::map<campaign::Symptom, size_t> counts;

  void add(campaign::Symptom symptom);
  size_t of(campaign::Symptom symptom) const;
  double share(campaign::Symptom symptom) const; // 0 to 1; 0 if there is nothing
  size_t ended_well() const;
  double ended_well_share() const;
};

// A box plot in numbers. The whiskers end at the outermost values within one and a half times the
// distance of the quartiles.
struct Box {
  size_t count = 0;
  double mean = 0;
  double minimum = 0;
  double lower_whisker = 0;
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  double upper_whisker = 0;
  double maximum = 0;
  size_t outliers_below = 0;
  size_t outliers_above = 0;
};

enum class Quantity { metric, seconds };

// Variants that have something in common, beside the clean runs.
struct Group {
  std::string key;   // code of an operator, name of a phase, name of a target
  std::string label; // "ComOR", "learning", "torch.nn"
  std::string title; // what it is, in a few words: "comparison-operator"
  SymptomCounts symptoms;
  std::optional<Box> metric; // of variants that ended well with a valid value
  std::optional<Box> seconds;
  size_t unchanged = 0; // the metric is exactly that of the clean runs with the same seeds
  size_t comparable = 0;
};

enum class Grouping { op, phase };
std::string_view name_of(Grouping grouping);
// The groups that a variant belongs to.
std::vector<std::string> keys_of(const campaign::VariantRecord& record, Grouping grouping);
std::string_view name_of(Quantity quantity);

// One group against the clean runs.
struct DifferenceTest {
  Grouping grouping = Grouping::op;
  Quantity quantity = Quantity::metric;
  std::string key;
  std::string label;
  size_t count = 0; // values of the group
  double mean = 0;
  double clean_mean = 0;
  double t = 0; // Welch's, two-tailed
  double p = 1;
  double adjusted_p = 1; // Benjamini and Hochberg, over tests of the same grouping and quantity
  double u = 0;          // Mann and Whitney's
  double u_p = 1;
  double u_adjusted_p = 1;
  double cohens_d = 0;
  double a12 = 0.5;

  bool significant() const { return adjusted_p < k_significance; }
};

// Whether groups differ among themselves.
struct GroupsTest {
  Grouping grouping = Grouping::op;
  Quantity quantity = Quantity::metric;
  size_t groups = 0; // with two values or more
  size_t values = 0;
  double f = 0; // one-way analysis of variance
  double p = 1;
};

// Whether the share of variants that do not end well depends on the group.
struct SymptomsTest {
  Grouping grouping = Grouping::op;
  size_t groups = 0;
  double chi_squared = 0;
  size_t freedom = 0;
  double p = 1;
};

// A variant whose value lies outside the whiskers of all variants' box and beyond every clean run.
struct Outlier {
  Quantity quantity = Quantity::metric;
  size_t outcome = 0; // index in CampaignAnalysis::outcomes
  double value = 0;
  bool above = false;
};

// Crashes with one cause: the same exception raised by the same statement.
struct CrashGroup {
  std::string exception;
  std::string file;
  size_t line = 0;
  std::string function;
  std::string statement;
  std::string message; // of the first
  std::vector<size_t> outcomes;
  double share = 0; // of all crashes
};

// What operators stand for in the taxonomy of faults.
struct TypeCoverage {
  std::string type; // "training/…"; empty: operators without a type
  std::vector<std::string> operators;
  size_t variants = 0; // finished ones
  size_t noticed = 0;  // of them with any symptom but normal
};

// What the runs really cost, against a full run for each.
struct Accounting {
  std::map<campaign::Start, size_t> starts;
  std::map<campaign::Decision, size_t> decisions;
  double spent_seconds = 0; // CPU time of all runs of variants
  double full_seconds = 0;  // what they would have taken from start to end
};

enum class Verdict { held, not_held, undecided };
std::string_view name_of(Verdict verdict);

// How much is known of what a finding of the study says.
enum class Wording {
  known,    // its statement
  in_part,  // its numbers
  not_found // nothing: what the study's tables suggest is tested instead
};
std::string_view name_of(Wording wording);

// A finding of "How do injected bugs affect deep learning?" (Jia et al., SANER 2022), tried again.
struct Finding {
  int number = 0;
  Wording wording = Wording::known;
  std::string statement; // in our words
  std::string criterion; // when it counts as held
  Verdict verdict = Verdict::undecided;
  std::string numbers; // those of this campaign
};

// A campaign and all that follows from it.
struct CampaignAnalysis {
  campaign::Data data;
  std::vector<VariantOutcome> outcomes; // of variants with at least one run, in the plan's order
  size_t unstable = 0;                  // variants whose runs disagree
  Group clean;                          // its symptoms are those of the clean runs
  Group all;
  std::vector<Group> by_operator; // in the order of codes
  // In the order of the campaign file. A variant whose line runs in two phases is in both.
  std::vector<Group> by_phase;
  std::vector<Group> by_target; // own files first
  std::vector<DifferenceTest> tests;
  std::vector<GroupsTest> groups_tests;
  std::vector<SymptomsTest> symptoms_tests;
  std::vector<Outlier> outliers;      // of the metric, then of time; the farthest first
  std::vector<CrashGroup> crashes;    // the most frequent first
  std::vector<TypeCoverage> taxonomy; // sorted by type, those without one last
  Accounting accounting;
  std::vector<Finding> findings; // nine

  const campaign::VariantRecord& record_of(const VariantOutcome& outcome) const
  {
    return data.variants[outcome.variant];
  }
  std::string metric_name() const; // of the first metric
};

CampaignAnalysis analyse_campaign(campaign::Data data);

// How an operator is shown: its acronym, or its name if it has none, or the code that was stored.
std::string operator_label(std::string_view code);

} // namespace faultline::study
