#include "memory.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace faultline_watch {

namespace {

constexpr size_t k_fewest = 16; // values; a handful may look like anything
constexpr size_t k_most = 4096;
constexpr double k_odd_share = 0.05;

template <typename T> std::vector<double> read_as(const void* data, size_t bytes)
{
  std::vector<double> values(std::min(bytes / sizeof(T), k_most));
  for (size_t i = 0; i < values.size(); ++i) {
    T value;
    std::memcpy(&value, static_cast<const char*>(data) + i * sizeof(T), sizeof(T));
    values[i] = static_cast<double>(value);
  }
  return values;
}

std::vector<double> read(const std::string& type, const void* data, size_t bytes)
{
  return type == "float32"   ? read_as<float>(data, bytes)
         : type == "float64" ? read_as<double>(data, bytes)
         : type == "int32"   ? read_as<int32_t>(data, bytes)
         : type == "int64"   ? read_as<int64_t>(data, bytes)
                             : std::vector<double>();
}

bool is_odd(double value, bool is_float)
{
  const double size = std::abs(value);
  return is_float ? !(size <= 1e15) || (size > 0 && size < 1e-15) : size >= 1e9;
}

// All values are of a size that data have, next to none of them tiny, and they are not mostly
// nothing.
bool makes_sense(const std::vector<double>& values, bool is_float)
{
  const double largest = is_float ? 1e6 : 1e5;
  size_t zeros = 0;
  size_t tiny = 0;
  for (const double value : values) {
    const double size = std::abs(value);
    if (!(size <= largest)) {
      return false;
    }
    zeros += size == 0 ? 1 : 0;
    tiny += size > 0 && size < 1e-6 ? 1 : 0;
  }
  return values.size() >= k_fewest / 2 && zeros * 2 <= values.size() && tiny * 50 <= values.size();
}

} // namespace

std::optional<Misread> misread(const std::string& type, const void* data, size_t bytes)
{
  const bool is_float = type.compare(0, 5, "float") == 0;
  const std::vector<double> values = read(type, data, bytes);
  if (values.size() < k_fewest) {
    return std::nullopt;
  }
  const auto odd = std::count_if(
      values.begin(), values.end(), [=](double value) { return is_odd(value, is_float); });
  const double share = static_cast<double>(odd) / static_cast<double>(values.size());
  if (share < k_odd_share) {
    return std::nullopt;
  }
  for (const char* other : {"float64", "float32", "int64", "int32"}) {
    const std::vector<double> meant = read(other, data, bytes);
    if (type != other && makes_sense(meant, other[0] == 'f')) {
      const auto [low, high] = std::minmax_element(meant.begin(), meant.end());
      return Misread{other, share, *low, *high};
    }
  }
  return std::nullopt;
}

} // namespace faultline_watch
