#pragma once

#include "proof/proof.hpp"

#include <vector>

namespace faultline::proof {

// What came of many proofs. Each fault is counted once, in the state that it is in.
struct Tally {
  size_t total = 0;
  size_t proved = 0;
  size_t failed = 0;
  size_t flaky = 0;
  size_t not_run = 0;
  size_t runs = 0;
  size_t fresh_runs = 0;
};

Tally tally(const std::vector<Proof>& proofs);

} // namespace faultline::proof
