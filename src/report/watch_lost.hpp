#pragma once

// Which numbers of a run are lost: no finite numbers any more.

#include "trace/trace.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace faultline::report {

bool is_lost(const trace::TensorStats& stats);

// Whether the loss of a step is infinite or not a number. One that was not seen is NaN too: a NaN
// is believed only where the run has lost other numbers.
bool is_loss_lost(const trace::Trace& trace, const trace::Step& step);

// "nan" or "inf".
std::string word_of_lost(const trace::TensorStats& stats);

// Steps in a row, of those that were looked at, whose numbers are lost.
struct LostStretch {
  uint32_t first = 0;
  uint32_t last = 0;
  bool to_the_end = false;
};

std::vector<LostStretch> lost_losses(const trace::Trace& trace);
// Of outputs, weights, gradients and updates of a layer.
std::vector<LostStretch> lost_checks(const trace::Trace& trace, int layer);

// "not finite from step 3 on", "not finite at step 3", "not finite at steps 3 to 5".
std::string print_stretch(const LostStretch& stretch);

} // namespace faultline::report
