#pragma once

// Statistics of one tensor, from its values as an array.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace faultline_watch {

enum class Role : uint8_t { input, output, weight, gradient, update };

struct Statistics {
  uint64_t count = 0, nan = 0, inf = 0;
  double zeros = 0, mean = 0, std = 0, min = 0, max = 0, norm = 0;
  uint32_t units = 0, dead = 0;
  double saturated = 0;
};

// `count`: how many values the tensor has, of which `size` were taken.
Statistics statistics_of(const float* values, size_t size, uint64_t count);

// Units of an output of this shape, and how many of them are zero on the whole batch.
void count_units(Statistics& into, const float* values, const std::vector<int64_t>& shape);

// The share of outputs where sigmoid and tanh are flat.
double saturated_share(std::string_view function, const float* values, size_t size);

} // namespace faultline_watch
