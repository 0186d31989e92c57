#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace faultline_watch {

constexpr float k_dead = 1e-5F;

Statistics statistics_of(const float* values, size_t size, uint64_t count)
{
  Statistics result;
  result.count = count;
  double sum = 0;
  double squares = 0;
  size_t zeros = 0;
  size_t finite = 0;
  float low = std::numeric_limits<float>::infinity();
  float high = -low;
  for (size_t i = 0; i < size; ++i) {
    const float value = values[i];
    if (!std::isfinite(value)) {
      ++(std::isnan(value) ? result.nan : result.inf);
      continue;
    }
    ++finite;
    zeros += value == 0 ? 1 : 0;
    sum += value;
    squares += static_cast<double>(value) * value;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  result.zeros = size == 0 ? 0 : static_cast<double>(zeros) / static_cast<double>(size);
  if (finite == 0) {
    result.mean = result.std = result.min = result.max = result.norm =
        std::numeric_limits<double>::quiet_NaN();
    return result;
  }
  const auto n = static_cast<double>(finite);
  result.mean = sum / n;
  result.std = low == high ? 0 : std::sqrt(std::max(0.0, squares / n - result.mean * result.mean));
  result.min = low;
  result.max = high;
  result.norm = std::sqrt(squares / n * static_cast<double>(count));
  return result;
}

void count_units(Statistics& into, const float* values, const std::vector<int64_t>& shape)
{
  if (shape.size() < 2) {
    return;
  }
  // Channels of a convolution's output, the last axis of a dense layer's.
  const bool channels = shape.size() >= 4 || (shape.size() == 3 && shape[1] < shape[2] / 8);
  size_t inner = 1;
  for (size_t axis = channels ? 2 : shape.size(); axis < shape.size(); ++axis) {
    inner *= static_cast<size_t>(shape[axis]);
  }
  const auto units = static_cast<size_t>(channels ? shape[1] : shape.back());
  size_t count = 1;
  for (const int64_t length : shape) {
    count *= static_cast<size_t>(length);
  }
  std::vector<float> largest(units, 0.0F);
  for (size_t i = 0; i < count; ++i) {
    float& unit = largest[i / inner % units];
    unit = std::max(unit, std::abs(values[i]));
  }
  into.units = static_cast<uint32_t>(units);
  into.dead = static_cast<uint32_t>(
      std::count_if(largest.begin(), largest.end(), [](float value) { return value < k_dead; }));
}

double saturated_share(std::string_view function, const float* values, size_t size)
{
  const bool sigmoid = function == "sigmoid";
  if ((!sigmoid && function != "tanh") || size == 0) {
    return 0;
  }
  // Outputs beyond these belong to inputs where the function is flat (±5 for sigmoid, ±3 for tanh).
  const float below = sigmoid ? 0.0067F : -0.9951F;
  const float above = sigmoid ? 0.9933F : 0.9951F;
  const auto flat = std::count_if(
      values, values + size, [=](float value) { return value < below || value > above; });
  return static_cast<double>(flat) / static_cast<double>(size);
}

} // namespace faultline_watch
