#pragma once

// Losses that are differentiated although nothing connects them with the weights.

#include "rules/gradients.hpp"
#include "rules/rule.hpp"

#include <vector>

namespace faultline::rules {

struct CutLoss {
  const Call* cut = nullptr;      // the operation that ends the gradient
  const Call* backward = nullptr; // what asks for it; null if that was not seen itself
};

std::vector<CutLoss> cut_losses(const Program& program);

// The operation takes the values out of the graph on purpose: detach, item, numpy, torch.tensor.
bool takes_values_out(const Call& call);

} // namespace faultline::rules
