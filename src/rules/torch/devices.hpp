#pragma once

// Tensors on different devices that meet.

#include "rules/rule.hpp"

#include <vector>

namespace faultline::rules {

struct DeviceClash {
  const program::Problem* problem = nullptr;
  // Where a tensor was made on the CPU, inside a forward pass or loop and without `device=`; null
  // if that is not how it came about.
  const Call* source = nullptr;
};

std::vector<DeviceClash> device_clashes(const Program& program);

} // namespace faultline::rules
