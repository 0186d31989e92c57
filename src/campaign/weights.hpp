#pragma once

// Operators on saved weights. They need PyTorch to read and write them, so that they run in a
// sandbox: see probes/mutate_weights.py.

#include "base/result.hpp"
#include "inject/operator.hpp"
#include "run/environment.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace faultline::campaign {

struct WeightChange {
  const inject::Operator* op = nullptr; // of Level::weights
  std::string setting;                  // empty if it has none
  uint64_t seed = 1;
};

struct ChangedWeights {
  std::string bytes;      // a .pt file of the same structure; empty if the operator does not apply
  std::string note;       // "sign inverted of 3 of 26 neurons"
  std::string unsuitable; // why it does not apply: "there is no recurrent layer"
};

// What each of `changes` makes of `weights`, a .pt file that is a state_dict or holds one. The same
// seed gives the same bytes. An error if the file cannot be read.
Result<std::vector<ChangedWeights>> change_weights(const std::string& weights,
                                                   const std::vector<WeightChange>& changes,
                                                   const run::Environment& environment);

} // namespace faultline::campaign
