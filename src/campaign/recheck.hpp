#pragma once

#include "campaign/session.hpp"

#include <string>
#include <vector>

namespace faultline::campaign {

// One variant, as the campaign has it and as it comes out from nothing.
struct Rechecked {
  std::string variant;
  Run kept;
  Run from_nothing;
  bool same_symptom = false; // speed apart: that is the machine's as much as the variant's
  bool same_metrics = false; // to the last bit
  // From nothing it came out otherwise the second time: it reads memory that nobody wrote, a clock,
  // or the order of a set. Tried only where something is not the same.
  bool repeats_itself = true;

  bool differs() const { return repeats_itself && !(same_symptom && same_metrics); }
};

// Which of the finished variants: one by its id, or else a random sample.
struct Choice {
  std::string variant;
  size_t sample = 100;
  uint64_t seed = 1;
};

// Run finished variants again, each a process of its own, and compare. The proof that the engine's
// shortcuts change nothing. Stops early when the user interrupts.
Result<std::vector<Rechecked>> recheck(Store& store,
                                       const run::Environment& environment,
                                       const SessionOptions& options,
                                       const Choice& choice);

} // namespace faultline::campaign
