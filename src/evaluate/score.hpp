#pragma once

#include "evaluate/evaluator.hpp"
#include "stats/intervals.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::evaluate {

// So many of so many.
struct Share {
  size_t hits = 0;
  size_t of = 0;

  void count(bool hit)
  {
    hits += hit ? 1 : 0;
    ++of;
  }
  std::optional<double> value() const; // nothing of nothing
  stats::Interval interval() const;    // Wilson's, 95 %
};

// One of the first 1, 3 or 5 findings is at the right place. Those that stay on the fixed version
// take up their rank, but do not hit.
struct TopHits {
  Share top1;
  Share top3;
  Share top5;
};

// How a tool did on some faults. Only those that it applies to count, unless it says otherwise.
struct Scores {
  std::map<Verdict, size_t> verdicts;
  size_t faults = 0;   // all of them
  Share recall;        // buggy versions whose type or place it names
  Share recall_of_all; // the same, of all faults, whether it applies or not
  Share detected;      // buggy versions with any finding that the fix removes
  Share precision; // versions with a right cause, of those with a wrong one or a false alarm too
  Share finding_precision; // single findings, on both versions
  Share false_alarms;      // fixed versions with a finding
  Share type;              // the leaf, of what was detected
  Share category;          // the top of the taxonomy, of what was detected
  TopHits line;
  TopHits statement;
  TopHits layer;
  std::vector<size_t> distances; // lines from the nearest finding to a right line, sorted
  double seconds = 0;            // of all runs
  size_t memory_kib = 0;         // the most that one run took

  std::optional<double> median_distance() const;
};

Scores score(const std::vector<const Judgement*>& judgements);

// All faults with one value of a group, such as the framework pytorch.
struct GroupScores {
  std::string by;
  std::string name;
  Scores scores;
};

struct ToolScores {
  Scores all;
  std::vector<GroupScores> groups; // in the order of k_group_names
};

// Causes found of the faults with each type, and with a type below each inner node of the taxonomy.
// A fault with two types below one node counts there once.
std::map<std::string, Share> recall_by_type(const Evaluation& evaluation, const ToolResult& tool);

// Whether two tools differ on the faults that both apply to.
struct Comparison {
  size_t first = 0; // index of the tool
  size_t second = 0;
  size_t both = 0; // right on
  size_t only_first = 0;
  size_t only_second = 0;
  size_t neither = 0;
  double p = 1;          // McNemar's exact test
  double p_adjusted = 1; // Holm's, for all pairs of the evaluation together
};

Comparison compare(const Evaluation& evaluation, size_t first, size_t second);

struct Scoreboard {
  std::vector<ToolScores> tools; // as in the evaluation
  std::vector<size_t> order;     // best first: by causes found, then by false alarms
  std::vector<Comparison> pairs;
};

Scoreboard score(const Evaluation& evaluation);

} // namespace faultline::evaluate
