#pragma once

// The weakest setting of an operator that a test still notices, as DeepCrime looks for it.

#include "campaign/engine.hpp"
#include "campaign/session.hpp"

#include <functional>
#include <string>
#include <vector>

namespace faultline::campaign {

// A setting, tried `repeats` times against as many clean runs.
struct Trial {
  std::string setting;
  std::vector<double> values; // of the first metric, of the runs that gave it
  int failed = 0;             // runs that crashed, hung or gave no metric
  double p = 1;               // Welch's t-test against the clean runs
  double effect = 0;          // Cohen's d, positive if the variant is worse
  bool noticed = false;       // p < 0.05 and d >= 0.5, or half of the runs failed
};

// One place that the operator can change.
struct Weakest {
  std::string file;
  size_t line = 0;
  std::vector<Trial> trials;          // in the order in which they were made
  std::optional<std::string> setting; // the least aggressive that was noticed
};

struct WeakestOptions {
  const inject::Operator* op = nullptr;
  int repeats = 10;
  size_t workers = 0;
  run::Isolation isolation = run::Isolation::sandbox;
  std::function<void(std::string_view)> say = [](std::string_view) {};
};

// For each place in the program's own files: a binary search between the operator's first and last
// value, or one after the other from the least aggressive on, as the operator says.
Result<std::vector<Weakest>>
find_weakest(const Spec& spec, const run::Environment& environment, const WeakestOptions& options);

// Whether a setting with these results is noticed beside these clean runs.
Trial compare(std::string setting,
              std::vector<double> values,
              int failed,
              const std::vector<double>& clean,
              bool higher_is_better);

} // namespace faultline::campaign
