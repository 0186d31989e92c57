#pragma once

#include "program/domains/domain.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace faultline::program {

// Where a tensor or module lives. `cuda` with index -1 is "the current GPU". A value chosen at run
// time (`'cuda' if torch.cuda.is_available() else 'cpu'`) is `chosen`: one device, not known which,
// the same for all that were moved to it by the same choice.
class Device {
public:
  enum class Kind : uint8_t { bottom, cpu, cuda, chosen, unknown };

  static Device bottom() { return Device(Kind::bottom, 0); }
  static Device top() { return Device(Kind::unknown, 0); }
  static Device cpu() { return Device(Kind::cpu, 0); }
  static Device cuda(int32_t index = -1) { return Device(Kind::cuda, index); }
  static Device chosen(int32_t choice) { return Device(Kind::chosen, choice); }
  static std::optional<Device>
  named(std::string_view name); // "cpu", "cuda", "cuda:1", "gpu", "mps"

  Kind kind() const { return m_kind; }
  bool is_known() const { return m_kind == Kind::cpu || m_kind == Kind::cuda; }
  // One is surely on the CPU and the other surely on a GPU.
  bool clashes_with(const Device& other) const;

  Effect join(const Device& other);
  Effect widen(const Device& other) { return join(other); }
  bool contains(const Device& other) const;

  std::string text() const;
  friend bool operator==(const Device&, const Device&) = default;
  friend std::ostream& operator<<(std::ostream& os, const Device& d) { return os << d.text(); }

private:
  Device(Kind kind, int32_t index) : m_kind(kind), m_index(index) {}
  Kind m_kind;
  int32_t m_index;
};

} // namespace faultline::program
