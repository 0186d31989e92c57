#pragma once

#include "program/domains/domain.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace faultline::program {

// The values that a number or any element of a tensor may take. Top is "nothing is known", which
// differs from [-inf, inf]: there the values are known to spread over all reals, as the output of a
// dense layer does. Rules speak about the second and are silent about the first. Bounds are
// attainable: 0 in [0, 1] means that 0 does occur (a sigmoid underflows to it).
class Interval {
public:
  static constexpr double k_inf = std::numeric_limits<double>::infinity();

  static Interval bottom();
  static Interval top();                       // nothing known
  static Interval of(double low, double high); // low <= high
  static Interval point(double value) { return of(value, value); }
  static Interval reals() { return of(-k_inf, k_inf); }

  bool is_bottom() const;
  bool is_known() const;                        // neither top nor bottom
  double low() const { return m_low; }          // -inf if unknown
  double high() const { return m_high; }        // inf if unknown
  std::optional<double> value() const;          // a single finite point
  bool includes(double value) const;            // known and low <= value <= high
  bool overlaps(double low, double high) const; // known and not disjoint

  // Exact end-point arithmetic, saturated at infinity; unknown in, unknown out, except where the
  // operation bounds the result whatever comes in.
  Interval plus(const Interval& other) const;
  Interval minus(const Interval& other) const;
  Interval times(const Interval& other) const;
  Interval over(const Interval& other) const; // reals if the divisor includes 0
  Interval negated() const;
  Interval abs() const;
  Interval square() const;
  Interval maximum(const Interval& other) const;
  Interval minimum(const Interval& other) const;
  Interval clipped(std::optional<double> low, std::optional<double> high) const;
  Interval power(double exponent) const;
  Interval exp() const;
  Interval log() const;                // -inf below where the argument reaches 0 or less
  Interval sqrt() const;               // of the part that is not negative
  Interval scaled(double count) const; // a sum of `count` such values
  Interval floor() const;

  Effect join(const Interval& other);
  Effect widen(const Interval& other); // a bound that moved becomes infinite
  bool contains(const Interval& other) const;

  std::string text() const; // "[0, 255]", "[-inf, inf]", "unknown"
  friend bool operator==(const Interval&, const Interval&) = default;
  friend std::ostream& operator<<(std::ostream& os, const Interval& i) { return os << i.text(); }

private:
  enum class Kind : uint8_t { bottom, known, unknown };
  Kind m_kind = Kind::unknown;
  double m_low = -k_inf;
  double m_high = k_inf;
};

// Whether the number may be converted to int64_t: conversion of any other is undefined.
inline bool fits_integer(double value)
{
  return std::isfinite(value) && std::fabs(value) < 9e15;
}

} // namespace faultline::program
