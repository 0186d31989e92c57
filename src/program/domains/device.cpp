#include "program/domains/device.hpp"

#include "base/format.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace faultline::program {

std::optional<Device> Device::named(std::string_view name)
{
  std::string lower(name);
  std::ranges::transform(
      lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::string_view rest = lower;
  // TensorFlow writes "/device:GPU:0" and "/gpu:0".
  if (rest.starts_with('/')) {
    rest.remove_prefix(1);
  }
  if (rest.starts_with("device:")) {
    rest.remove_prefix(7);
  }

  int32_t index = -1;
  if (const size_t colon = rest.find(':'); colon != std::string_view::npos) {
    const std::string_view digits = rest.substr(colon + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (error != std::errc() || end != digits.data() + digits.size() || index < 0) {
      return std::nullopt;
    }
    rest = rest.substr(0, colon);
  }
  if (rest == "cpu") {
    return cpu();
  }
  if (rest == "cuda" || rest == "gpu" || rest == "mps" || rest == "xpu") {
    return cuda(index);
  }
  return std::nullopt;
}

bool Device::clashes_with(const Device& other) const
{
  return is_known() && other.is_known() && m_kind != other.m_kind;
}

Effect Device::join(const Device& other)
{
  if (contains(other)) {
    return Effect::unchanged;
  }
  if (m_kind == Kind::bottom) {
    *this = other;
  } else if (m_kind == Kind::cuda && other.m_kind == Kind::cuda) {
    *this = cuda();
  } else {
    *this = top();
  }
  return Effect::changed;
}

bool Device::contains(const Device& other) const
{
  if (m_kind == Kind::unknown || other.m_kind == Kind::bottom || *this == other) {
    return true;
  }
  return *this == cuda() && other.m_kind == Kind::cuda;
}

std::string Device::text() const
{
  switch (m_kind) {
  case Kind::bottom:
    return "no device";
  case Kind::cpu:
    return "cpu";
  case Kind::cuda:
    return m_index < 0 ? "cuda" : format("cuda:{}", m_index);
  case Kind::chosen:
    return "a device chosen at run time";
  case Kind::unknown:
    break;
  }
  return "unknown device";
}

} // namespace faultline::program
