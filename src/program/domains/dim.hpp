#pragma once

#include "program/domains/domain.hpp"

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

namespace faultline::program {

// The size of one axis: a constant, `scale * symbol + offset`, or unknown. Symbols stand for sizes
// that are fixed but not known: the batch, a number of samples, the result of a boolean mask.
class Dim {
public:
  enum class Comparison { equal, different, undecided };

  static Dim bottom();
  static Dim top(); // unknown
  static Dim constant(int64_t value);
  static Dim symbol(uint32_t id); // id > 0
  static Dim batch();             // the symbol printed as B; never provably equal to a constant

  bool is_bottom() const;
  bool is_unknown() const;
  std::optional<int64_t> constant() const;
  bool is(int64_t value) const { return constant() == value; }

  // Arithmetic is exact or gives unknown. Division rounds as its name says.
  Dim plus(const Dim& other) const;
  Dim minus(const Dim& other) const;
  Dim times(const Dim& other) const;
  Dim floor_div(int64_t by) const;
  Dim ceil_div(int64_t by) const;

  // Equal or different for every value of the symbols, or undecided. A symbol against a constant is
  // undecided; `d` against `d + 1` is different.
  Comparison compare(const Dim& other) const;

  Effect join(const Dim& other); // different dims become unknown
  Effect widen(const Dim& other) { return join(other); }
  bool contains(const Dim& other) const;

  std::string text() const; // "32", "B", "2*d17+1", "?"
  friend bool operator==(const Dim&, const Dim&) = default;
  friend std::ostream& operator<<(std::ostream& os, const Dim& dim) { return os << dim.text(); }

private:
  enum class Kind : uint8_t { bottom, constant, affine, unknown };
  Kind m_kind = Kind::unknown;
  uint32_t m_symbol = 0;
  int64_t m_scale = 0;
  int64_t m_offset = 0; // the value itself if constant
};

} // namespace faultline::program
