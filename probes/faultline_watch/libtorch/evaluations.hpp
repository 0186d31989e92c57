#pragma once

// Passes over data without gradients, between two training steps.

#include "sites.hpp"
#include "stream.hpp"

#include <vector>

namespace faultline_watch {

class Evaluations {
public:
  void layer_called(int layer);
  void mode_seen(bool training) { m_training_mode = m_training_mode || training; }
  void loss_seen(double loss, double accuracy);
  void tell(Stream& stream, uint32_t step);

private:
  int m_first = -1; // the layer that begins a pass
  uint32_t m_batches = 0;
  bool m_training_mode = false;
  std::vector<double> m_losses, m_accuracies;
  Stack m_stack;
};

} // namespace faultline_watch
